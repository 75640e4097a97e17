import { expect, test } from 'vitest';

import { undo_read } from '../contract/test-fixtures';
import type { Mark } from '../engine-client/snapshot';
import { actionsDone, meaningOf, turnedTo } from './mark-meaning';

const { manifest } = undo_read;
const mark = (kind: Mark['kind'], subject = 0, value = 0): Mark => ({
  ...{ number: 0, run_ns: 0, stopped_us: 0, step_ns: 0, is_by_hand: false },
  ...{ kind, subject, value },
});

test('a knob’s mark names the knob and its variant, an action’s whether it was refused', () => {
  const [knob] = manifest.knobs;
  expect(meaningOf(mark('knob', 0, 2), manifest)).toEqual({ kind: 'knob', knob, variant: knob!.variants[2] });
  const [action] = manifest.actions;
  expect(meaningOf(mark('action'), manifest)).toEqual({ kind: 'action', action, is_refused: false });
  expect(meaningOf(mark('action', 0, 1), manifest)).toMatchObject({ is_refused: true });
  expect(meaningOf(mark('pause'), manifest)).toEqual({ kind: 'pause' });
});

test('what the manifest does not have means nothing', () => {
  expect(meaningOf(mark('knob', 99), manifest)).toBeNull();
  expect(meaningOf(mark('knob', 0, 99), manifest)).toBeNull();
  expect(meaningOf(mark('action', 99), manifest)).toBeNull();
});

test('the last variant of each knob counts, and only actions that were carried out', () => {
  const marks = [
    mark('knob', 0, 1),
    mark('action', 1, 1),
    mark('knob', 0, 2),
    mark('action', 0),
    mark('knob', 1, 3),
  ];
  const [lookup, latch] = manifest.knobs;
  expect(turnedTo(marks, manifest)).toEqual({
    [lookup!.id]: lookup!.variants[2]!.id,
    [latch!.id]: latch!.variants[3]!.id,
  });
  expect(actionsDone(marks, manifest)).toEqual([manifest.actions[0]]);
});
