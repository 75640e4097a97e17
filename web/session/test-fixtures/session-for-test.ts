import type { EngineLoader } from '../../engine-client/engine-host';
import { FakeEngine, type FakeEngineOptions } from '../../engine-client/test-fixtures/fake-engine';
import { ThreadsHost } from '../../engine-client/threads-host';
import { undo_result } from '../../contract/run-result-fixtures';
import { machine, scenarios } from '../../contract/test-fixtures';
import { chartCommands, runCommands, scenarioCommands } from '../commands';
import { Session, type SessionOptions } from '../session';

const no_engine = () => Promise.reject(new Error('no engine'));

/** A session with its own commands; there is no engine unless `options` have one. */
export function sessionForTest(options: Partial<SessionOptions> = {}): Session {
  const session = new Session({
    scenarios,
    machine,
    clock_step_ns: 5000,
    missing: { threads: [], virtual: [] },
    loaders: { threads: no_engine, virtual: no_engine },
    ...options,
  });
  session.commands.register(
    runCommands(session, { reload: () => Promise.resolve(), copyLink: () => Promise.resolve('Link copied') }),
  );
  session.commands.register(chartCommands(session));
  session.commands.register(scenarioCommands(session));
  return session;
}

/** Engines that carry out every command at once, and never end a run by themselves; the newest is the last. */
export function fakeEngines(options: Partial<FakeEngineOptions> = {}): {
  engines: FakeEngine[];
  loaders: SessionOptions['loaders'];
} {
  const engines: FakeEngine[] = [];
  const load: EngineLoader = ({ onFailure }) => {
    const engine = new FakeEngine({ run_result: undo_result, ...options });
    engines.push(engine);
    return Promise.resolve(new ThreadsHost(engine.module, onFailure));
  };
  return { engines, loaders: { threads: load, virtual: load } };
}

/** Commands of another feature, by what they are called: buttons for them can be shown, and do nothing. */
export function registerStandIns(session: Session, ...ids: string[]): void {
  session.commands.register({
    commands: () => ids.map((id) => ({ id, title: id, isEnabled: () => true, execute: () => undefined })),
  });
}
