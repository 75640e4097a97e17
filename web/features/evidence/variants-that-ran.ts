import type { ExplorerState } from '../../session/store';

/**
 * Returns the variants of a knob that the shown run has used: at its start, and after each change.
 */
export function variantsThatRan(
  { spec, marks }: Pick<ExplorerState, 'spec' | 'marks'>,
  knobId: string,
): string[] {
  if (spec === null) return [];
  const turnedTo = marks.flatMap((mark) =>
    mark.kind === 'knob' && mark.knob.id === knobId ? [mark.variant.id] : [],
  );
  return [...new Set([spec.design[knobId], ...turnedTo])].filter((id) => id !== undefined);
}
