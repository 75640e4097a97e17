import { formatDurationNs } from '../../analysis/format';
import type { MomentReader } from './moment-reader';

/** Shown while there are no events: no latch was watched, or no thread has used one since. */
export const no_latch_activity = 'No latch activity yet.';

/** Shown before the first run. */
export const run_to_trace = 'Run to trace the hottest latches.';

/** Formats run time to the nanosecond, in milliseconds below a second and in seconds above. */
export const exactTime = (t_ns: number): string =>
  t_ns < 1e9 ? `${(t_ns / 1e6).toFixed(6)} ms` : `${(t_ns / 1e9).toFixed(9)} s`;

/** Describes the shown part of time, and the shown moment. */
export function momentInWords({ look, range, known }: MomentReader): string {
  const width = formatDurationNs(range.toNs - range.fromNs);
  if (look !== null) return `at ${exactTime(look.tNs)} · ${width} shown · pinned`;
  return `${width} up to ${exactTime(Math.min(range.toNs, known.nowNs))}`;
}
