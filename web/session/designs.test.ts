import { expect, test } from 'vitest';

import type { Mark } from '../contract/telemetry-states';
import { pauseMark } from '../engine-client/test-fixtures/pause-mark';
import { runMark } from '../recording/run-marks';
import { conditionsOf } from './designs';
import { defaultRunSpec } from '../contract/run-spec';
import { lastVariant, machine, undo_read } from '../contract/test-fixtures';

const { manifest } = undo_read;
const spec = defaultRunSpec(manifest, machine);
const mark = (kind: Mark['kind'], subject: number, value: number) =>
  runMark({ ...pauseMark, kind, subject, value }, manifest);
const toLastVariant = (knob: number) => {
  const ofKnob = manifest.knobs[knob]!;
  return mark('knob', knob, ofKnob.variants.indexOf(lastVariant(ofKnob)));
};

test('a run begins with the design of its spec and no actions', () => {
  expect(conditionsOf(spec, [], manifest)).toEqual({
    design: 'original',
    actions: [],
    supposes: false,
  });
});

test('a run supposes something only if that is different', () => {
  const supposing = (percent: number) =>
    conditionsOf({ ...spec, what_if: { costs: { pause_ps: percent } } }, [], manifest).supposes;
  expect(supposing(50)).toBe(true);
  expect(supposing(100)).toBe(false);
});

test('a design is in force when all of its knobs are turned', () => {
  const between = conditionsOf(spec, [toLastVariant(1)], manifest);
  expect(between.design).toBeNull();
  expect(conditionsOf(spec, [toLastVariant(1), toLastVariant(0)], manifest).design).toBe('fixed');
});

test('a refused action does not count', () => {
  const marks = [mark('action', 0, 0), mark('action', 1, 1), mark('pause', 0, 0)];
  expect(conditionsOf(spec, marks, manifest).actions).toEqual(['update_k']);
});
