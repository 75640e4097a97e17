import { describe, expect, test } from 'vitest';

import { CommandRefused, Engine, EngineFailure } from './engine';
import type { HostHooks } from './engine-host';
import type { EngineModule } from './engine-calls';
import { ThreadsHost } from './threads-host';
import { abi_hash, outcomes, type Outcome } from '../contract/gen/engine-abi';
import { layout } from '../contract/gen/telemetry-layout';
import { TelemetryBlock } from './test-fixtures/telemetry-block';

/** Returns a C ABI that completes commands when the test requests it. */
function scriptedEngine() {
  const block = new TelemetryBlock();
  const frames: (() => void)[] = [];
  let hooks: HostHooks | null = null;
  let terminated = 0;
  let refusal = '';
  let outcome: Outcome = 'accepted';
  const textAnswers: Record<string, string> = {
    latchscope_version: JSON.stringify({ version: '0.1.0', clients_max: 64, abi_hash }),
    latchscope_check: '[]',
    latchscope_result: '',
  };
  let trap: Error | null = null;
  const ccall = (name: string, returns: string | null) => {
    if (trap !== null) throw trap;
    if (name === 'latchscope_telemetry') return 0;
    if (name === 'latchscope_telemetry_bytes') return layout.bytes;
    if (name === 'latchscope_refusal') return refusal;
    if (returns === 'string') return textAnswers[name];
    if (returns === null) return null;
    if (refusal !== '') return outcomes.indexOf(outcome);
    block.setHeader('commands_posted', block.header('commands_posted') + 1);
    return outcomes.indexOf('accepted');
  };
  const engine = Engine.load(
    (givenHooks) => {
      hooks = givenHooks;
      const module = {
        ccall: ccall as EngineModule['ccall'],
        wasmMemory: { buffer: block.buffer } as unknown as WebAssembly.Memory,
        PThread: {
          terminateAllThreads: () => {
            terminated += 1;
          },
          unusedWorkers: [],
          runningWorkers: [],
        },
      };
      return Promise.resolve(new ThreadsHost(module, givenHooks.onFailure));
    },
    { nextFrame: () => new Promise((resolve) => frames.push(resolve)) },
  );
  return {
    block,
    engine,
    /** Lets an animation frame and everything that follows from it pass. */
    frame: async () => {
      for (const resolve of frames.splice(0)) resolve();
      for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
    },
    carryOut: () => {
      block.setHeader('commands_done', block.header('commands_posted'));
    },
    refuseWith: (refused: Outcome, errors: object[]) => {
      outcome = refused;
      refusal = JSON.stringify(errors);
    },
    fail: (text: string) => hooks?.onFailure(text),
    trap: (error: Error) => (trap = error),
    terminated: () => terminated,
  };
}

/** Watches a promise without waiting for it. */
function watch(promise: Promise<unknown>) {
  const seen = { outcome: 'pending' as unknown };
  promise.then(
    () => (seen.outcome = 'done'),
    (error: unknown) => (seen.outcome = error),
  );
  return seen;
}

describe('a command', () => {
  test('settles when the engine has carried it out and reached a stable state', async () => {
    const { block, engine, frame, carryOut } = scriptedEngine();
    const created = watch((await engine).create({}));
    await frame();
    expect(created.outcome).toBe('pending');
    block.setRunState('building');
    carryOut();
    await frame();
    expect(created.outcome).toBe('pending');
    block.setRunState('ready');
    await frame();
    expect(created.outcome).toBe('done');
  });

  test('that is refused at once rejects with the errors by field', async () => {
    const { engine, refuseWith } = scriptedEngine();
    const error = { field: 'threads', value: '65', allowed: 'an integer from 1 to 64' };
    refuseWith('wrong_value', [error]);
    await expect((await engine).create({})).rejects.toMatchObject({ errors: [error] });
    await expect((await engine).start()).rejects.toThrow('threads is 65; allowed: an integer from 1 to 64');
  });

  test('that is refused later rejects with what the engine says', async () => {
    const { block, engine, frame, carryOut } = scriptedEngine();
    const fired = watch((await engine).fire('drop_table'));
    await frame();
    block.setOutcome('refused_by_server', 'the table is dropped already');
    carryOut();
    await frame();
    expect(fired.outcome).toBeInstanceOf(CommandRefused);
    expect((fired.outcome as Error).message).toBe('the table is dropped already');
  });
});

test('a command that is impossible now is refused with the states in which it is allowed', async () => {
  const { engine, refuseWith } = scriptedEngine();
  const loaded = await engine;
  refuseWith('wrong_state', [{ field: 'create', value: 'running', allowed: 'idle or finished' }]);
  await expect(loaded.create({})).rejects.toMatchObject({
    message: 'A run is still active. Stop it first.',
    errors: [{ field: 'create', value: 'running' }],
  });
  const later = scriptedEngine();
  const paused = watch((await later.engine).pause());
  await later.frame();
  const error = { field: 'pause', value: 'finished', allowed: 'running' };
  later.block.setOutcome('wrong_state', JSON.stringify([error]));
  later.carryOut();
  await later.frame();
  expect(paused.outcome).toMatchObject({
    message: 'The run has ended.',
    errors: [{ field: 'pause', value: 'finished', allowed: 'running' }],
  });
});

test('two commands at once each get their own refusal', async () => {
  const { block, engine, frame, carryOut } = scriptedEngine();
  const loaded = await engine;
  const first = watch(loaded.fire('drop_table'));
  const second = watch(loaded.fire('update_k'));
  await frame();
  block.setOutcome('refused_by_server', 'the table is dropped already');
  carryOut();
  await frame();
  expect(second.outcome).toBe('pending');
  block.setOutcome('accepted');
  carryOut();
  await frame();
  expect((first.outcome as Error).message).toBe('the table is dropped already');
  expect(second.outcome).toBe('done');
});

describe('an engine that stops', () => {
  test('by an assertion rejects pending and later commands', async () => {
    const { block, engine, frame } = scriptedEngine();
    const paused = watch((await engine).pause());
    block.setFailureText('fil_space.h:12: pins > 0');
    block.setRunState('failed');
    await frame();
    expect(paused.outcome).toBeInstanceOf(EngineFailure);
    await expect((await engine).resume()).rejects.toThrow('fil_space.h:12: pins > 0');
  });

  test('by an abort says why', async () => {
    const { engine, fail } = scriptedEngine();
    const loaded = await engine;
    expect(loaded.failure()).toBeNull();
    fail('aborted: OOM');
    expect(loaded.failure()?.message).toBe('aborted: OOM');
  });

  test.each([
    [new WebAssembly.RuntimeError('unreachable'), /^RuntimeError: unreachable$/],
    [new RangeError('Array buffer allocation failed'), /^The engine ran out of memory\. RangeError/],
  ])('by a trap in a call says why: %s', async (error, message) => {
    const { engine, trap } = scriptedEngine();
    const loaded = await engine;
    const failures: Error[] = [];
    loaded.onFailure = (failure) => failures.push(failure);
    trap(error);
    await expect(loaded.start()).rejects.toThrow(message);
    await expect(loaded.check({})).rejects.toBeInstanceOf(EngineFailure);
    expect(failures).toHaveLength(1);
  });

  test('rejects waiting promises at once, without another frame', async () => {
    const { engine, fail } = scriptedEngine();
    const loaded = await engine;
    const waiting = [
      loaded.finished(),
      loaded.create({}),
      loaded.create({}),
      loaded.failForTest('assertion'),
    ];
    const rejected = Promise.allSettled(waiting);
    await Promise.resolve();
    fail('aborted: OOM');
    for (const outcome of await rejected) expect(outcome).toMatchObject({ status: 'rejected' });
  });

  test('while it is loaded rejects the loading', async () => {
    const loading = Engine.load(({ onFailure }) => {
      onFailure('worker sent an error! engine.js:1: no such file');
      return new Promise(() => undefined);
    });
    await expect(loading).rejects.toThrow('no such file');
  });

  test('is discarded with its threads', async () => {
    const { engine, terminated } = scriptedEngine();
    (await engine).dispose();
    expect(terminated()).toBe(1);
    await expect((await engine).idle()).rejects.toBeInstanceOf(EngineFailure);
  });
});

test('there is no result before a run has finished', async () => {
  const loaded = await scriptedEngine().engine;
  await expect(loaded.result()).rejects.toThrow('no run has finished');
});
