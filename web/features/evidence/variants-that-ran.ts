import type { ExplorerState } from '../../session/store';

/** The variants of a knob that were in force at some time of the run that is shown: at its start, and after each flip. */
export function variantsThatRan(
  { spec, marks, scenario: { manifest } }: Pick<ExplorerState, 'spec' | 'marks' | 'scenario'>,
  knob_id: string,
): string[] {
  const index = manifest.knobs.findIndex(({ id }) => id === knob_id);
  const knob = manifest.knobs[index];
  if (knob === undefined || spec === null) return [];
  const at_start = spec.design[knob_id];
  const flipped_to = marks
    .filter(({ kind, subject }) => kind === 'knob' && subject === index)
    .map(({ value }) => knob.variants[value]?.id);
  return [...new Set([at_start, ...flipped_to])].filter((id) => id !== undefined);
}
