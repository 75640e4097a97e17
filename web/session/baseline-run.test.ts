import { expect, test } from 'vitest';

import { defaultRunSpec, parseRunSpec, type RunSpec } from '../contract/run-spec';
import { undo_result } from '../contract/run-result-fixtures';
import { fil_mutex, machine, scenarios } from '../contract/test-fixtures';
import type { Mark } from '../contract/telemetry-states';
import { pauseMark } from '../engine-client/test-fixtures/pause-mark';
import { runMark } from '../recording/run-marks';
import { isNextRunTheSame, baselineRun } from './baseline-run';

const { manifest } = fil_mutex;
const spec: RunSpec = {
  ...defaultRunSpec(manifest, machine, 'virtual'),
  actions: [{ at_s: 0.2, action: 'one_table' }],
};
const knob = manifest.knobs.findIndex(({ id }) => id === 'tablespace_lookup');
const atomic = manifest.knobs[knob]!.variants.findIndex(({ id }) => id === 'atomic_word');
const oneTable = manifest.actions.findIndex(({ id }) => id === 'one_table');

const mark = (change: Partial<Mark>) =>
  runMark({ ...pauseMark, kind: 'action', subject: oneTable, is_by_hand: true, ...change }, manifest);
const marks = [
  mark({ kind: 'knob', subject: knob, value: atomic, run_ns: 100_123_999, step_ns: 100_000_001 }),
  mark({ is_by_hand: false, step_ns: 200_000_000 }),
  mark({ step_ns: 300_000_000, value: 1 }),
  mark({ kind: 'pause', step_ns: 310_000_000 }),
];
const shown = { spec, marks, result: null, whatIfByHand: null };

test('what was done by hand stands among the actions of the spec, at the time at which it is repeated', () => {
  const went = baselineRun(shown)!;
  expect(went.actions).toEqual([
    { at_s: 0.100000001, knob: 'tablespace_lookup', variant: 'atomic_word' },
    { at_s: 0.2, action: 'one_table' },
    // The server refused it, and will again.
    { at_s: 0.3, action: 'one_table' },
  ]);
  expect(went.design).toEqual(spec.design);
  expect(parseRunSpec(went, scenarios, machine)).toEqual({ ok: true, value: went });
});

test('of a run that is over, the engine says its actions and when it was stopped', () => {
  const said = { ...spec, actions: [{ at_s: 0.1, action: 'many_tables' }], duration_s: 0.123456789 };
  expect(baselineRun({ ...shown, result: { ...undo_result, spec: said } })).toEqual(said);
});

const supposed = { costs: { pause_ps: 50 }, from_s: 0.25 };
const supposing = {
  ...shown,
  whatIfByHand: supposed,
  marks: [...marks, mark({ kind: 'what_if', step_ns: 250_000_000 })],
};

test('what was supposed by hand is the what-if of the spec, once a mark says that it holds', () => {
  expect(baselineRun({ ...supposing, marks })!.what_if).toBeUndefined();
  const went = baselineRun(supposing)!;
  expect(went.what_if).toEqual(supposed);
  expect(went.actions).toHaveLength(3);
  expect(parseRunSpec(went, scenarios, machine)).toEqual({ ok: true, value: went });
  expect(isNextRunTheSame({ ...supposing, draftSpec: { ...spec, what_if: supposed } })).toBe(true);
  expect(isNextRunTheSame({ ...supposing, marks, draftSpec: { ...spec, what_if: supposed } })).toBe(false);
});

test('before the first run there is none', () => {
  expect(baselineRun({ ...shown, spec: null })).toBeNull();
});

test.each<[string, Partial<RunSpec> | null, boolean]>([
  ['untouched', {}, true],
  ['with the knobs that were turned', { design: { ...spec.design, tablespace_lookup: 'atomic_word' } }, true],
  ['of another design', { design: { ...spec.design, tablespace_lookup: 'sharded_mutex' } }, false],
  ['with other clients', { threads: 7 }, false],
  ['that is wrong', null, false],
])('a next run %s is the one that is shown: %s', (_, change, expected) => {
  const draftSpec = change === null ? null : { ...spec, ...change };
  expect(isNextRunTheSame({ ...shown, draftSpec })).toBe(expected);
});
