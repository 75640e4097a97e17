import type { Mark } from '../../contract/telemetry-states';

/** A mark for tests to extend. */
export const pauseMark: Mark & { kind: 'pause' } = {
  number: 0,
  run_ns: 0,
  kind: 'pause',
  subject: 0,
  value: 0,
  stopped_us: 0,
  step_ns: 0,
  is_by_hand: false,
};
