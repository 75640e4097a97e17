import { expect, test } from 'vitest';

import { undo_read } from '../contract/test-fixtures';
import type { Mark } from '../contract/telemetry-states';
import { pauseMark } from '../engine-client/test-fixtures/pause-mark';
import { conditionsAfter, runMark, withMark } from './run-marks';

const { manifest } = undo_read;
const mark = (kind: Mark['kind'], subject = 0, value = 0) =>
  runMark({ ...pauseMark, kind, subject, value }, manifest);

test('a knob’s mark names the knob and its variant, an action’s whether it was refused', () => {
  const [knob] = manifest.knobs;
  expect(mark('knob', 0, 2)).toEqual({
    ...{ ...pauseMark, kind: 'knob', value: 2 },
    ...{ knob, variant: knob!.variants[2] },
  });
  const [action] = manifest.actions;
  expect(mark('action')).toMatchObject({ action, isRefused: false });
  expect(mark('action', 0, 1)).toMatchObject({ isRefused: true });
  expect(mark('pause')).toEqual(pauseMark);
});

test('what is supposed from a moment on holds whatever else is done', () => {
  const { original } = manifest.designs;
  const { supposesSince, actions } = conditionsAfter(original!, [mark('what_if'), mark('action', 0)]);
  expect([supposesSince, actions.length]).toEqual([true, 1]);
  expect(conditionsAfter(original!, [mark('action', 0)]).supposesSince).toBeUndefined();
});

test('a mark of what the manifest does not have is refused', () => {
  expect(() => mark('knob', 99)).toThrow('undo-read-117533: knob 99 has no variant 0.');
  expect(() => mark('knob', 0, 99)).toThrow('undo-read-117533: knob 0 has no variant 99.');
  expect(() => mark('action', 99)).toThrow('undo-read-117533 has no action 99.');
});

test('the last variant of each knob is in force, and only actions that were carried out count', () => {
  const marks = [
    mark('knob', 0, 1),
    mark('action', 1, 1),
    mark('knob', 0, 2),
    mark('action', 0),
    mark('knob', 1, 3),
  ];
  const [lookup, latch] = manifest.knobs;
  const { original } = manifest.designs;
  expect(conditionsAfter(original!, marks)).toEqual({
    design: {
      ...original,
      [lookup!.id]: lookup!.variants[2]!.id,
      [latch!.id]: latch!.variants[3]!.id,
    },
    actions: [manifest.actions[0]!.id],
  });
});

test('a pause or a refused action leaves the conditions as they are', () => {
  const before = conditionsAfter(manifest.designs.original!, []);
  expect(withMark(before, mark('pause'))).toBe(before);
  expect(withMark(before, mark('action', 0, 1))).toBe(before);
});

test('where the reader’s latch was stopped, the conditions say so, whatever the design says', () => {
  const { original } = manifest.designs;
  const [lookup, latch] = manifest.knobs;
  expect(mark('latch_stopped', 1)).toMatchObject({ kind: 'latch_stopped', knob: latch });
  const marks = [mark('latch_stopped', 1), mark('action'), mark('latch_stopped', 0)];
  expect(conditionsAfter(original!, marks).stopped).toEqual([latch!.id, lookup!.id]);
  expect(() => mark('latch_stopped', 99)).toThrow('undo-read-117533 has no knob 99.');
});
