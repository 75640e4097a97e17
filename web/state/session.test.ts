import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { MissingCapability } from '../engine-client/capabilities';
import type { EngineModule } from '../engine-client/engine-module';
import type { RunState } from '../engine-client/snapshot';
import { layout } from '../engine-client/gen/telemetry-layout';
import { TelemetryBlock } from '../engine-client/test-fixtures/telemetry-block';
import { Session } from './session';
import { fil_mutex, machine, scenarios } from './test-fixtures';

const run_result = { version: 1, totals: { transactions: 7 } };
const spec = { version: 1, scenario: fil_mutex.manifest.id };

let frames: FrameRequestCallback[];
beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

async function passFrames(count = 5): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    for (const callback of frames.splice(0)) callback(i * 16);
    for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
  }
}

/** An engine that carries out every command at once. */
class ObedientEngine {
  readonly block = new TelemetryBlock();
  check_errors = '[]';
  readonly module: EngineModule = {
    ccall: ((name: string) => this.#call(name)) as EngineModule['ccall'],
    wasmMemory: { buffer: this.block.buffer } as unknown as WebAssembly.Memory,
    PThread: { terminateAllThreads: () => undefined },
  };
  readonly #state_after: Record<string, RunState> = {
    latchscope_create: 'ready',
    latchscope_start: 'running',
    latchscope_pause: 'paused',
    latchscope_resume: 'running',
    latchscope_stop: 'finished',
  };

  #call(name: string): string | number | null {
    const answers: Record<string, string | number> = {
      latchscope_version: '{}',
      latchscope_telemetry: 0,
      latchscope_telemetry_bytes: layout.bytes,
      latchscope_check: this.check_errors,
      latchscope_result: JSON.stringify(run_result),
    };
    const run_state = this.#state_after[name];
    if (run_state === undefined) return answers[name] ?? null;
    this.block.setRunState(run_state);
    this.block.setHeader('commands_posted', this.block.header('commands_posted') + 1);
    this.block.setHeader('commands_done', this.block.header('commands_posted'));
    return 1;
  }
}

function sessionWithEngines(missing: MissingCapability[] = []) {
  const engines: ObedientEngine[] = [];
  const session = new Session({
    scenarios,
    machine,
    clock_step_ns: 5000,
    missing,
    loader: () => {
      engines.push(new ObedientEngine());
      return Promise.resolve(engines.at(-1)!.module);
    },
  });
  return { session, engines, state: () => session.store.getState() };
}

test('a run resolves with its result', async () => {
  const { session, state } = sessionWithEngines();
  const run = session.run(spec);
  await passFrames();
  expect(state().run_state).toBe('running');
  await session.stop();
  await passFrames();
  expect(await run).toEqual(run_result);
  expect(state()).toMatchObject({ run_state: 'finished', result: run_result, commands_outstanding: 0 });
});

test('a second run is refused while one goes on', async () => {
  const { session } = sessionWithEngines();
  const running = session.run(spec);
  await passFrames();
  await expect(session.run(spec)).rejects.toMatchObject({ errors: [{ field: 'run', value: 'running' }] });
  await session.stop();
  await passFrames();
  await running;
});

test.each([
  ['no_such_knob', 'atomic_word', 'knob'],
  ['tablespace_lookup', 'magic', 'design.tablespace_lookup'],
])('a knob that cannot be turned is named: %s to %s', async (knob, variant, field) => {
  const { session, state } = sessionWithEngines();
  const design_before = state().draft.design;
  await expect(session.setKnob(knob, variant)).rejects.toMatchObject({ errors: [{ field }] });
  expect(state().draft.design).toBe(design_before);
});

test('an engine that fails is replaced, and the page says why', async () => {
  const { session, engines, state } = sessionWithEngines();
  const run = session.run(spec);
  const rejected = expect(run).rejects.toThrow('pins > 0');
  await passFrames();
  engines[0]!.block.setErrorText('pins > 0');
  engines[0]!.block.setRunState('failed');
  await passFrames();
  await rejected;
  expect(engines).toHaveLength(2);
  expect(state()).toMatchObject({ run_state: 'idle', engine_status: 'ready', engine_failure: 'pins > 0' });

  const next_run = session.run(spec);
  await passFrames();
  expect(state()).toMatchObject({ run_state: 'running', engine_failure: null });
  await session.stop();
  await passFrames();
  await next_run;
});

test('a page that lacks something loads no engine', async () => {
  const { session, engines } = sessionWithEngines([
    { capability: 'Threads', explanation: 'It is missing.', remedy: 'Get it.' },
  ]);
  await expect(session.engine()).rejects.toThrow('It is missing. Get it.');
  expect(engines).toEqual([]);
});

test('limits that only the engine knows are kept at their fields', async () => {
  const { session, engines, state } = sessionWithEngines();
  await session.engine();
  const error = { field: 'parameters.rows_per_table', value: '100000', allowed: 'up to 9375' };
  engines[0]!.check_errors = JSON.stringify([error]);
  session.editDraft({ parameters: { ...state().draft.parameters, tables: 64, rows_per_table: 100_000 } });
  expect(state().draft_errors).toEqual([error]);
  await expect(session.runDraft()).rejects.toMatchObject({ errors: [error] });
});
