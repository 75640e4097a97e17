import type { Mark } from '../engine-client/snapshot';
import { formatDuration_ns } from '../analysis/format';
import { meaningOf } from '../recording/mark-meaning';
import type { Manifest } from '../contract/manifest';

export interface LogEntry {
  /** Run time; null for what happens outside a run. */
  t_s: number | null;
  text: string;
}

const LABEL_CHARACTERS_MAX = 32;

/** A few words for the chart: the title of what was chosen or done. */
export function markLabel(mark: Mark, manifest: Manifest): string {
  const meaning = meaningOf(mark, manifest);
  if (meaning?.kind === 'knob') return shortened(meaning.variant.title);
  return meaning?.kind === 'action' ? shortened(meaning.action.title) : mark.kind;
}

const shortened = (title: string) =>
  title.length <= LABEL_CHARACTERS_MAX ? title : `${title.slice(0, LABEL_CHARACTERS_MAX - 1).trimEnd()}…`;

/** A sentence for the log, with the time that the clients stood. */
export function describeMark(mark: Mark, manifest: Manifest): LogEntry {
  const stood = mark.stopped_us === 0 ? '' : `, clients stood ${formatDuration_ns(mark.stopped_us * 1000)}`;
  return { t_s: mark.run_ns / 1e9, text: whatHappened(mark, manifest) + stood };
}

function whatHappened(mark: Mark, manifest: Manifest): string {
  const meaning = meaningOf(mark, manifest);
  switch (meaning?.kind) {
    case 'knob':
      return `${meaning.knob.title}: ${meaning.variant.title}`;
    case 'action':
      return meaning.is_refused ? `${meaning.action.title}: refused` : meaning.action.title;
    case 'pause':
      return 'paused';
    case 'resume':
      return 'resumed';
    case undefined:
      return mark.kind;
  }
}
