import { expect, test } from 'vitest';

import type { StudySettings } from '../../contract/draft';
import { defaultRunSpec, type RunSpec } from '../../contract/run-spec';
import { fil_mutex, machine, scenarios, undo_read } from '../../contract/test-fixtures';
import { parseLink } from '../../session/link';
import { studiedRun } from '../../session/measured-run';
import { whatIfFeature } from './index';
import { parseStudyInput } from './study-input';
import { studyPairs } from './study-link';
import { defaultStudy, planStudy, runsOf, tooFewTransactions } from './study-plan';

const filSpec = defaultRunSpec(fil_mutex.manifest, machine, 'virtual');

function planned(change: Partial<StudySettings>, spec: RunSpec = filSpec) {
  const scenario = scenarios.find(({ manifest }) => manifest.id === spec.scenario)!;
  return planStudy(spec, { ...defaultStudy, ...change }, { scenario, scenarios, machine });
}

function pointsOf(change: Partial<StudySettings>) {
  const plan = planned({ kind: 'curve', seeds: 1, ...change });
  return plan.ok ? plan.value.points.map(({ whatIf }) => whatIf) : plan.errors;
}

test('where a bug has an action, it counts from a fifth of what comes after it', () => {
  const spec = defaultRunSpec(undo_read.manifest, machine, 'virtual');
  expect(studiedRun(spec, undo_read.manifest, machine)).toMatchObject({
    spec: { duration_s: 0.75, actions: [{ at_s: 0.001, action: 'update_k' }] },
    fromS: 0.151,
  });
  expect(studiedRun(filSpec, fil_mutex.manifest, machine).fromS).toBe(0);
});

test('a hand-over without percents is one point, with them it is part of each', () => {
  const latch = 'fil_system->mutex';
  expect(pointsOf({ latch, hand_over: 'free' })).toEqual([null, { latches: [{ latch, hand_over: 'free' }] }]);
  expect(pointsOf({ latch, hand_over: 'line', scale: '0' })).toEqual([
    null,
    { latches: [{ latch, section_percent: 0, line: 'still' }] },
  ]);
});

test('what the spec supposes already stays in each run, the one as it is included', () => {
  const plan = planned(
    { kind: 'curve', cost: 'pause_ps', scale: '50', seeds: 2 },
    { ...filSpec, what_if: { costs: { wake_latency_ps: 0 } } },
  );
  const runs = plan.ok ? runsOf(plan.value, plan.value.points) : [];
  expect(runs.map(({ spec }) => [spec.seed, spec.what_if])).toEqual([
    [1, { costs: { wake_latency_ps: 0 } }],
    [2, { costs: { wake_latency_ps: 0 } }],
    [1, { costs: { wake_latency_ps: 0, pause_ps: 50 } }],
    [2, { costs: { wake_latency_ps: 0, pause_ps: 50 } }],
  ]);
});

test.each<[Partial<StudySettings>, string, RegExp]>([
  [{ kind: 'curve' }, 'study.latch', /a latch or a server cost/],
  [{ kind: 'curve', latch: 'x' }, 'study.latch', /^one of Fil_shard::m_mutex/],
  [{ kind: 'curve', cost: 'x' }, 'study.cost', /^one of work_percent/],
  [{ kind: 'curve', latch: 'buf_pool->mutex', site: 'x' }, 'study.site', /^one of /],
  [{ kind: 'curve', latch: 'buf_pool->mutex', scale: '201' }, 'study.scale', /integers from 0 to 200/],
  [{ kind: 'curve', latch: 'buf_pool->mutex', scale: ',' }, 'study.scale', /integers from 0 to 200/],
  [{ seeds: 31 }, 'study.seeds', /from 1 to 30/],
  [{ top: 0 }, 'study.top', /from 1 to 64/],
  [{ percent: 'x' }, 'study.percent', /from 0 to 200/],
  [{ from_s: 0.06 }, 'study.from_s', /below 0\.06/],
])('a fault: %j', (change, field, allowed) => {
  expect(planned(change)).toEqual({
    ok: false,
    errors: [expect.objectContaining({ field, allowed: expect.stringMatching(allowed) as string })],
  });
});

test.each([
  'study.seeds=3&study.from_s=0.02',
  'study=curve&study.latch=fil_system->mutex&study.hand_over=line&study.scale=0,50',
  'study=curve&study.cost=pause_ps',
])('a link keeps what is set: %s', (fields) => {
  const link = `#v=1&view=what_if&scenario=fil-mutex-69276&platform=virtual&${fields}`;
  const parsed = parseLink(link, scenarios, machine, [whatIfFeature.link!]);
  const settings = parsed?.ok ? (parsed.value.ofFeatures as { studySettings: StudySettings }) : null;
  expect(
    studyPairs('what_if', settings!.studySettings)
      .map((pair) => pair.join('='))
      .join('&'),
  ).toBe(fields);
});

test.each([
  ['view=sweep&study.seeds=3', 'study.seeds', 'only with view=what_if'],
  ['view=what_if&study.scale=3', 'study.scale', 'only with study=curve'],
  ['view=what_if&study=x', 'study', 'profile or curve'],
])('a link with %s is refused', (fields, field, allowed) => {
  const link = `#v=1&scenario=fil-mutex-69276&platform=virtual&${fields}`;
  expect(parseLink(link, scenarios, machine, [whatIfFeature.link!])).toMatchObject({
    ok: false,
    errors: [{ field, allowed }],
  });
});

test('of a cost, a scale of spaces is the scale that is left out', () => {
  expect(pointsOf({ cost: 'pause_ps', scale: ' ' })).toEqual(pointsOf({ cost: 'pause_ps' }));
});

const script = (study: object) =>
  parseStudyInput(
    { version: 1, scenario: 'fil-mutex-69276', platform: 'virtual', study },
    scenarios,
    machine,
  );

test.each([
  [50, '50'],
  [[0, 50], '0,50'],
  ['0,50', '0,50'],
])('a script may give a scale as %j', (scale, typed) => {
  expect(script({ kind: 'curve', latch: 'fil_system->mutex', scale })).toMatchObject({
    ok: true,
    value: { ofFeatures: { studySettings: { scale: typed } } },
  });
});

test.each<[object, string]>([
  [{ kind: 7 }, 'study'],
  [{ kind: 'curve', latch: 7 }, 'study.latch'],
  [{ kind: 'curve', latch: 'fil_system->mutex', scale: 7.5 }, 'study.scale'],
  [{ kind: 'curve', latch: 'fil_system->mutex', scale: {} }, 'study.scale'],
  [{ hand_over: null }, 'study.hand_over'],
  [{ seeds: '3' }, 'study.seeds'],
  [{ speed: 1 }, 'study.speed'],
])('a script that is wrong is refused by field: %j', (study, field) => {
  expect(script(study)).toMatchObject({ ok: false, errors: [{ field }] });
});

test('it says when a client ends too few transactions to tell a small gain', () => {
  const spec = { ...defaultRunSpec(undo_read.manifest, machine, 'virtual'), duration_s: 1 };
  const plan = planned({ from_s: 0.5 }, spec);
  if (!plan.ok) throw new Error(JSON.stringify(plan.errors));
  const tpsOf = (ofClient: number) => (ofClient * spec.threads) / 0.5;
  expect(tooFewTransactions(plan.value, tpsOf(3))).toBeCloseTo(3);
  expect(tooFewTransactions(plan.value, tpsOf(10))).toBeNull();
  expect(tooFewTransactions(plan.value, null)).toBeNull();
});
