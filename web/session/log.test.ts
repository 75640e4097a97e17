import { expect, test } from 'vitest';

import type { Mark } from '../contract/telemetry-states';
import { runMark } from '../recording/run-marks';
import { describeMark, markLabel } from './log';
import { fil_mutex } from '../contract/test-fixtures';

const { manifest } = fil_mutex;
const mark: Mark = {
  number: 0,
  run_ns: 2.5e9,
  kind: 'knob',
  subject: 0,
  value: 4,
  stopped_us: 812,
  step_ns: 0,
  is_by_hand: false,
};

test.each<[string, Partial<Mark>, string, string]>([
  [
    'a knob',
    {},
    'One atomic word per tablespace',
    'Tablespace look-up: One atomic word per tablespace, clients paused for 812 µs',
  ],
  [
    'an action',
    { kind: 'action', subject: 2, value: 0 },
    'Read one table only',
    'Read one table only, clients paused for 812 µs',
  ],
  [
    'an action that stops nobody',
    { kind: 'action', stopped_us: 0, value: 0 },
    'Double the buffer pool',
    'Double the buffer pool',
  ],
  [
    'a refused action',
    { kind: 'action', stopped_us: 0, value: 1 },
    'Double the buffer pool',
    'Double the buffer pool: refused',
  ],
  ['a pause', { kind: 'pause', stopped_us: 0 }, 'pause', 'paused'],
])('%s', (_, change, label, text) => {
  const changed = runMark({ ...mark, ...change }, manifest);
  expect(markLabel(changed)).toBe(label);
  expect(describeMark(changed)).toEqual({ tS: 2.5, text });
});
