// Going back in time with the page's own engine: from any moment the run takes the same course again, to the byte.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { all_scenarios as scenarios } from '../contract/all-scenarios';
import { machine } from '../contract/test-fixtures';
import { defaultRunSpec, type RunSpec } from '../contract/run-spec';
import { Engine } from '../engine-client/engine';
import type { ModelControls } from '../engine-client/engine-host';
import { asTask, loadVirtualEngineInNode } from '../engine-client/test-fixtures/virtual-engine-in-node';

const MOMENTS = process.env.LATCHSCOPE_LONG === '1' ? 100 : 6;
const BUDGET_BYTES = 512 * 2 ** 20;

beforeAll(() => {
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
    asTask(() => {
      callback(performance.now());
    });
  });
});
afterAll(() => {
  vi.unstubAllGlobals();
});

/** Numbers that are as good as random, and the same each time. */
function* numbers(): Generator<number, never> {
  for (let number = 7; ;) {
    number = (number * 48_271) % 2_147_483_647;
    yield number / 2_147_483_647;
  }
}

/** Short runs in which much happens: a knob is turned on the way. */
function shortSpec(scenario: (typeof scenarios)[number]): RunSpec {
  const { manifest } = scenario;
  const spec = defaultRunSpec(manifest, machine, 'virtual');
  const [{ id: knob, variants }] = manifest.knobs;
  const duration_s = 0.02;
  const variant = variants.at(-1)!.id;
  return {
    ...spec,
    threads: Math.min(16, manifest.threads.max),
    duration_s,
    interval_s: 0.005,
    actions: [{ at_s: duration_s / 2, knob, variant }],
  };
}

async function engineKeepingMoments(): Promise<{ engine: Engine; model: ModelControls }> {
  const engine = await Engine.load(loadVirtualEngineInNode);
  await engine.keepKeyframes(BUDGET_BYTES);
  await engine.readEvery(250_000, () => undefined);
  return { engine, model: engine.model! };
}

async function run(engine: Engine, spec: RunSpec): Promise<string> {
  await engine.create(spec);
  await engine.start();
  await engine.finished();
  return engine.resultJson();
}

async function goOn(engine: Engine): Promise<string> {
  await engine.resume();
  await engine.finished();
  return engine.resultJson();
}

describe.each(scenarios.map((scenario) => [scenario.manifest.id, scenario] as const))(
  '%s',
  (_id, scenario) => {
    test('from any moment the run goes on as it did the first time', async () => {
      const { engine, model } = await engineKeepingMoments();
      const spec = shortSpec(scenario);
      const result = await run(engine, spec);
      const { furthest_events, keyframes } = model.readings().past!;
      expect(keyframes).toBeGreaterThan(0);
      const random = numbers();
      const first = await firstEvents(engine);
      for (let moment = 0; moment < MOMENTS; moment += 1) {
        const events = first + Math.floor(random.next().value * (furthest_events - first));
        await engine.rewind({ events });
        expect(engine.telemetry.header().run_state).toBe('paused');
        expect(model.readings().events).toBe(events);
        expect(await goOn(engine)).toBe(result);
      }
      engine.dispose();
    }, 240_000);
  },
);

/** The first moment that can be gone back to. */
async function firstEvents(engine: Engine): Promise<number> {
  await engine.rewind({ run_ns: 0 });
  return engine.model!.readings().events;
}
