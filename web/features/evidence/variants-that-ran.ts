import type { ExplorerState } from '../../session/store';

/**
 * Returns the variants of a knob that the shown run has used: at its start, and after each change.
 */
export function variantsThatRan(
  { spec, marks }: Pick<ExplorerState, 'spec' | 'marks'>,
  knob_id: string,
): string[] {
  if (spec === null) return [];
  const turned_to = marks.flatMap((mark) =>
    mark.kind === 'knob' && mark.knob.id === knob_id ? [mark.variant.id] : [],
  );
  return [...new Set([spec.design[knob_id], ...turned_to])].filter((id) => id !== undefined);
}
