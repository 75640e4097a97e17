import type { EngineLoader } from '../../engine-client/engine-host';
import { FakeEngine, type FakeEngineOptions } from '../../engine-client/test-fixtures/fake-engine';
import { ThreadsHost } from '../../engine-client/threads-host';
import { undo_result } from '../../contract/run-result-fixtures';
import { machine, scenarios } from '../../contract/test-fixtures';
import { chartCommands, runCommands, scenarioCommands } from '../commands';
import { Session, type SessionOptions } from '../session';

const noEngine = () => Promise.reject(new Error('no engine'));

/** Creates a session with its own commands. It has no engine unless `options` contain one. */
export function sessionForTest(options: Partial<SessionOptions> = {}): Session {
  const session = new Session({
    scenarios,
    machine,
    clockStepNs: 5000,
    missing: { threads: [], virtual: [] },
    loaders: { threads: noEngine, virtual: noEngine },
    ...options,
  });
  session.commands.register(
    runCommands(session, { reload: () => Promise.resolve(), copyLink: () => Promise.resolve('Link copied') }),
  );
  session.commands.register(chartCommands(session));
  session.commands.register(scenarioCommands(session));
  return session;
}

/**
 * Returns engines that complete each command at once and never end a run by themselves. The newest
 * engine is the last.
 */
export function fakeEngines(options: Partial<FakeEngineOptions> = {}): {
  engines: FakeEngine[];
  loaders: SessionOptions['loaders'];
} {
  const engines: FakeEngine[] = [];
  const load: EngineLoader = ({ onFailure }) => {
    const engine = new FakeEngine({ runResult: undo_result, ...options });
    engines.push(engine);
    return Promise.resolve(new ThreadsHost(engine.module, onFailure));
  };
  return { engines, loaders: { threads: load, virtual: load } };
}

/** Registers other features' commands by id: their buttons appear but do nothing. */
export function registerStandIns(session: Session, ...ids: string[]): void {
  session.commands.register({
    commands: () => ids.map((id) => ({ id, title: id, isEnabled: () => true, execute: () => undefined })),
  });
}
