import type { Mark } from '../engine-client/snapshot';
import { formatDuration_ns } from '../analysis/format';
import type { Manifest } from '../contract/manifest';

export interface LogEntry {
  /** Run time; null for what happens outside a run. */
  t_s: number | null;
  text: string;
}

/** A few words for the chart. */
export function markLabel(mark: Mark, manifest: Manifest): string {
  switch (mark.kind) {
    case 'knob':
      return variantOf(mark, manifest)?.id ?? 'knob';
    case 'action':
      return manifest.actions[mark.subject]?.id ?? 'action';
    default:
      return mark.kind;
  }
}

/** A sentence for the log, with the time that the clients stood. */
export function describeMark(mark: Mark, manifest: Manifest): LogEntry {
  const stood = mark.stopped_us === 0 ? '' : `, clients stood ${formatDuration_ns(mark.stopped_us * 1000)}`;
  return { t_s: mark.run_ns / 1e9, text: whatHappened(mark, manifest) + stood };
}

function whatHappened(mark: Mark, manifest: Manifest): string {
  const action = manifest.actions[mark.subject]?.title ?? 'action';
  switch (mark.kind) {
    case 'knob':
      return `${manifest.knobs[mark.subject]?.id ?? 'knob'} → ${markLabel(mark, manifest)}`;
    case 'action':
      return mark.value === 0 ? action : `${action}: refused`;
    case 'pause':
      return 'paused';
    case 'resume':
      return 'resumed';
  }
}

function variantOf(mark: Mark, manifest: Manifest) {
  return manifest.knobs[mark.subject]?.variants[mark.value];
}
