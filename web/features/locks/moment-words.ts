import { formatDurationNs } from '../../analysis/format';
import type { MomentCursor } from './moment-cursor';

/** Shown while there are no events: no latch was watched, or no thread has used one since. */
export const NO_LATCH_ACTIVITY = 'No latch activity yet.';

/** Shown before the first run. */
export const RUN_TO_TRACE = 'Run to trace the hottest latches.';

/** Formats run time to the nanosecond, in milliseconds below a second and in seconds above. */
export const exactTime = (tNs: number): string =>
  tNs < 1e9 ? `${(tNs / 1e6).toFixed(6)} ms` : `${(tNs / 1e9).toFixed(9)} s`;

/** Describes the shown part of time, and the shown moment. */
export function momentInWords({ look, range, known }: MomentCursor): string {
  const width = formatDurationNs(range.toNs - range.fromNs);
  if (look !== null) return `at ${exactTime(look.tNs)} · ${width} shown · pinned`;
  return `${width} up to ${exactTime(Math.min(range.toNs, known.nowNs))}`;
}
