import { formatDuration_ns } from '../../analysis/format';
import type { MomentReader } from './moment-reader';

/** Where no event is known: none was chosen to be watched, or nobody has come to one since. */
export const no_latch_activity = 'No latch activity yet.';

/** Before the first run. */
export const run_to_trace = 'Run to trace the hottest latches.';

/** Run time to the nanosecond: in milliseconds, from a second on in seconds. */
export const exactTime = (t_ns: number): string =>
  t_ns < 1e9 ? `${(t_ns / 1e6).toFixed(6)} ms` : `${(t_ns / 1e9).toFixed(9)} s`;

/** Which part of time is shown, and which moment is looked at. */
export function momentInWords({ look, range, known }: MomentReader): string {
  const width = formatDuration_ns(range.to_ns - range.from_ns);
  if (look !== null) return `at ${exactTime(look.t_ns)} · ${width} shown · pinned`;
  return `${width} up to ${exactTime(Math.min(range.to_ns, known.now_ns))}`;
}
