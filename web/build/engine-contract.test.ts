// Checks the engine's run specs and results against web/contract, with the page's own compiled
// engine on the modeled server. tools/latchscope.test.mjs checks results of real threads against
// the same schema.
import { beforeAll, describe, expect, test } from 'vitest';

import type { Fault } from '../contract/fault';
import type { Manifest, Scenario } from '../contract/manifest';
import { all_scenarios } from '../contract/all-scenarios';
import { engine_latches, scenario_latches } from '../contract/engine-latches';
import { engine_limits } from '../contract/engine-limits';
import { optionalFieldsMissing } from '../contract/descriptions';
import { run_result_schema, type RunResult } from '../contract/run-result';
import { defaultRunSpec, parseRunSpec } from '../contract/run-spec';
import { all_servers } from '../contract/servers';
import { Engine } from '../engine-client/engine';
import { resultOfEngine } from '../engine-client/engine-json';
import { lastVariant } from '../contract/test-fixtures';
import { framesAsTasks } from '../engine-client/test-fixtures/frames-as-tasks';
import { loadVirtualEngineInNode } from '../engine-client/test-fixtures/virtual-engine-in-node';

const machine = { cores: 4, platforms: ['virtual'] as const };

framesAsTasks();

let engine: Engine;
beforeAll(async () => {
  engine = await Engine.load(loadVirtualEngineInNode);
});

describe('the page and the engine find the same faults in a run spec', () => {
  type Change = Record<string, unknown>;

  const values = (field: string, ...given: unknown[]): Change[] => given.map((value) => ({ [field]: value }));
  const ranged = (field: string, min: number, max: number) =>
    values(field, min, max, min - 1, max + 1, (min + max) / 2 + 0.3, String(min), null, true);

  function numbers({ threads }: Manifest): Change[] {
    const { clients_max, seed_max, events_max } = engine_limits;
    return [
      ...values('version', 0, '1', 2, null),
      ...values('scenario', 'x', 7),
      ...values('platform', 'threads', 'other', 7, null),
      ...values('colour', 1),
      ...values('threads', threads.min, clients_max.virtual + 1, threads.min - 1, 1.5, '8', null, true),
      ...ranged('seed', 0, seed_max),
      ...values('duration_s', 1e-6, 9e-7, 3600, 3601, null, '1', [1]),
      ...values('interval_s', 0.001, 0.0009, 60, 60.1, null, 'x', {}),
      ...ranged('events_max', 1, events_max),
      { duration_s: 36, interval_s: 0.001 },
      { duration_s: 36.1, interval_s: 0.001 },
      { duration_s: 3600, interval_s: 0.1 },
      { threads: 0, seed: -1, colour: 3 },
    ];
  }

  function samples(): Change[] {
    const good = { sampler: 'instant', count: 3, every_s: 0.002 };
    const changed = [
      good,
      { ...good, sampler: 'stop_the_world' },
      { ...good, sampler: 'x' },
      { ...good, count: 0 },
      { ...good, count: engine_limits.stack_samples_max + 1 },
      { ...good, every_s: 0 },
      { ...good, colour: 1 },
      { sampler: 'instant' },
      {},
    ];
    return values('stack_samples', ...changed, [], null, 'instant');
  }

  function whatIfs({ id }: Manifest): Change[] {
    const [latch = ''] = scenario_latches[id]!;
    const [site = ''] = engine_latches[latch as keyof typeof engine_latches];
    const ofOthers = Object.keys(engine_latches).filter((known) => !scenario_latches[id]!.includes(known));
    const ofLatches = [
      { latch },
      { latch, section_percent: 0 },
      { latch, site, section_percent: 200 },
      { latch, hand_over: 'free', line: 'still', wake_up: 'free' },
      {},
      { latch: 'x' },
      { latch: 7 },
      { latch: null, site },
      { latch, site: 'no function' },
      ...ofOthers.map((other) => ({ latch: other })),
      { latch, site: 7 },
      { latch, site, line: 'still' },
      { latch, section_percent: 201 },
      { latch, section_percent: -1 },
      { latch, section_percent: 0.5 },
      { latch, section_percent: '50' },
      { latch, hand_over: 'costly' },
      { latch, line: true },
      { latch, wake_up: null },
      { latch, colour: 1 },
    ].map((entry) => ({ latches: [entry] }));
    const ofCosts = [
      ...all_servers.fields.map(({ id }) => ({ [id]: 100 })),
      { pause_ps: 50, wake_latency_ps: 0 },
      { pause_ps: 0 },
      { pause_ps: 201 },
      { pause_ps: '50' },
      { sibling_work_percent: 10 },
      { colour: 1 },
      {},
      [],
      null,
    ].map((costs) => ({ costs }));
    const other = [
      {},
      { latches: [] },
      { latches: {} },
      { latches: [null, 7] },
      { latches: Array.from({ length: engine_limits.what_if_latches_max + 1 }, () => ({ latch })) },
      { costs: { pause_ps: 50 }, latches: [] },
      { costs: { pause_ps: 50 }, from_s: 0.5 },
      { costs: { pause_ps: 50 }, from_s: -0.5 },
      { costs: { pause_ps: 50 }, from_s: 3_601 },
      { costs: { pause_ps: 50 }, from_s: 'soon' },
      { from_s: 1 },
      { colour: 1 },
      [],
      null,
      'x',
    ];
    const whatIf = { costs: { pause_ps: 1 } };
    const onOwnServer = {
      server: { based_on: all_servers.servers[0]!.id, pause_ps: 100_000 },
      what_if: whatIf,
    };
    return [...values('what_if', ...ofLatches, ...ofCosts, ...other), onOwnServer];
  }

  function servers(): Change[] {
    const { fields, servers: named } = all_servers;
    const basedOn = named[0]!.id;
    const ofFields = fields.flatMap(({ id, min, max }) => [
      { based_on: basedOn, [id]: min - 1 },
      { based_on: basedOn, [id]: max + 1 },
      { based_on: basedOn, [id]: 'x' },
    ]);
    const cpus = { based_on: basedOn, sockets: 8, cores_per_socket: 64, threads_per_core: 1 };
    const objects = [{}, { based_on: 'x' }, { pause_ps: 43_000 }, { based_on: basedOn, colour: 1 }, cpus];
    return values('server', ...named.map(({ id }) => id), 'x', 7, null, [], ...objects, ...ofFields);
  }

  function designs({ knobs, designs: presets }: Manifest): Change[] {
    const whole = Object.fromEntries(knobs.map((knob) => [knob.id, lastVariant(knob).id]));
    const knob = knobs[0]!.id;
    const wrong = [{ [knob]: 'x' }, { [knob]: 7 }, { [knob]: null }, { ...whole, colour: 'red' }];
    return values('design', ...Object.keys(presets), whole, {}, ...wrong, 'best', 7, null, []);
  }

  function parametersOf({ parameters }: Manifest): Change[] {
    const wrong = parameters.flatMap(({ id, min, max }) =>
      [min - 1, max + 1, min + 0.5, 'x', null].map((value) => ({ [id]: value })),
    );
    return values('parameters', {}, { colour: 1 }, ...wrong, 7, null, []);
  }

  function actionsOf({ actions, knobs }: Manifest): Change[] {
    const action = actions[0]!.id;
    const knob = knobs[0]!.id;
    const variant = knobs[0]!.variants[0]!.id;
    const lists = [
      [],
      [{ at_s: 0, action }],
      [{ at_s: 0, knob, variant }],
      [{ at_s: 0, action: 'x' }],
      [{ at_s: 0, action: null }],
      [{ action }],
      [{ at_s: 0 }],
      [{}],
      [7],
      [null],
      [{ at_s: 0, knob }],
      [{ at_s: 0, variant }],
      [{ at_s: 0, knob: 'x', variant }],
      [{ at_s: 0, knob, variant: 'x' }],
      [{ at_s: 0, action, knob, variant }],
      [{ at_s: 0, action, knob }],
      [{ at_s: 0, action, colour: 1 }],
      [{ at_s: 0, knob, variant, colour: 1 }],
      [{ at_s: -1, action }],
      [{ at_s: 3601, action }],
      [{ at_s: 'x', action }],
      Array.from({ length: engine_limits.timed_actions_max + 1 }, () => ({ at_s: 0, action })),
    ];
    const inTime = [0.25, 0.000_05, 2].map((atS) => ({ duration_s: 0.5, actions: [{ at_s: atS, action }] }));
    const tooEarly = [0.2, 0.000_05].map((atS) => ({
      actions: [
        { at_s: atS, action },
        { at_s: atS / 2, action },
      ],
    }));
    return [...values('actions', ...lists, null, {}), ...inTime, ...tooEarly];
  }

  const changesOf = (manifest: Manifest) =>
    [numbers, samples, whatIfs, servers, designs, parametersOf, actionsOf].flatMap((of) => of(manifest));

  /**
   * Faults that page and engine word differently, because they know different facts: about
   * versions, and about the knob of a missing variant.
   */
  const inOwnWords = /^version$|\.variant$/;
  /**
   * Page and engine quote values differently, and the page may report two checks in the same words.
   */
  const compared = (errors: readonly Fault[]) => [
    ...new Set(
      errors.map(({ field, allowed }) => (inOwnWords.test(field) ? field : `${field}: ${allowed}`)).sort(),
    ),
  ];

  function faultsOfPage(spec: object) {
    const parsed = parseRunSpec(spec, all_scenarios, machine);
    return parsed.ok ? [] : parsed.errors;
  }

  test.each(all_scenarios.map((scenario) => [scenario.manifest.id, scenario] as const))(
    '%s',
    async (scenario: string, { manifest }: Scenario) => {
      const differing = [];
      for (const change of changesOf(manifest)) {
        const spec = { version: 1, scenario, ...change };
        const [page, ofEngine] = [faultsOfPage(spec), await engine.check(spec)].map(compared);
        if (JSON.stringify(page) !== JSON.stringify(ofEngine))
          differing.push({ change, page, of_engine: ofEngine });
      }
      expect(differing).toEqual([]);
    },
  );
});

describe('a result of the engine has every field that is declared, and no other', () => {
  async function resultOf({ manifest }: Scenario): Promise<RunResult> {
    const run = { threads: Math.max(manifest.threads.min, 4), duration_s: 0.01, interval_s: 0.004 };
    const stackSamples = { sampler: 'instant', count: 2, every_s: 0.002 };
    const events = manifest === all_scenarios[0]!.manifest ? { events_max: 1 } : {};
    await engine.create(
      defaultRunSpec(manifest, { ...machine }, 'virtual', { ...run, ...events, stack_samples: stackSamples }),
    );
    await engine.start();
    await engine.finished();
    return resultOfEngine(await engine.resultJson());
  }

  test('on the modeled server', async () => {
    const results: RunResult[] = [];
    for (const scenario of all_scenarios) results.push(await resultOf(scenario));
    for (const result of results) expect(run_result_schema.parse(result)).toEqual(result);
    // A modeled server does not report the build of its engine, and none of these runs has a
    // reader's latch.
    expect(optionalFieldsMissing(results)).toEqual(['engine.build', 'latches_stopped']);
  });
});
