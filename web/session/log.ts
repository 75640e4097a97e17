// Describes marks for the log and the charts.
import { formatDurationNs } from '../analysis/format';
import type { RunMark } from '../recording/run-marks';

export interface LogEntry {
  /** Run time in seconds; null for events outside a run. */
  tS: number | null;
  text: string;
}

const LABEL_CHARACTERS_MAX = 32;

/** Returns a short label for the chart: the title of the variant or action. */
export function markLabel(mark: RunMark): string {
  if (mark.kind === 'knob') return shortened(mark.variant.title);
  if (mark.kind === 'action') return shortened(mark.action.title);
  if (mark.kind === 'latch_stopped') return LATCH_STOPPED;
  return mark.kind === 'what_if' ? 'What if' : mark.kind;
}

export const LATCH_STOPPED = 'Your latch was stopped';

const shortened = (title: string) =>
  title.length <= LABEL_CHARACTERS_MAX ? title : `${title.slice(0, LABEL_CHARACTERS_MAX - 1).trimEnd()}…`;

/** Returns a sentence for the log, including how long the clients were stopped. */
export function describeMark(mark: RunMark): LogEntry {
  const stood =
    mark.stopped_us === 0 ? '' : `, clients paused for ${formatDurationNs(mark.stopped_us * 1000)}`;
  return { tS: mark.run_ns / 1e9, text: whatHappened(mark) + stood };
}

function whatHappened(mark: RunMark): string {
  switch (mark.kind) {
    case 'knob':
      return `${mark.knob.title}: ${mark.variant.title}`;
    case 'action':
      return mark.isRefused ? `${mark.action.title}: refused` : mark.action.title;
    case 'pause':
      return 'paused';
    case 'resume':
      return 'resumed';
    case 'latch_stopped':
      return `${LATCH_STOPPED}: the built-in latch replaces it in ${mark.knob.title}`;
    case 'what_if':
      return 'what if: applies from here';
  }
}
