import { phasesOf, type Phase, type PhaseInterval, type PhaseMark } from '../analysis/phases';
import type { Mark } from '../engine-client/snapshot';
import { meaningOf } from '../recording/mark-meaning';
import { presetOf, type Design } from '../contract/design';
import type { Manifest } from '../contract/manifest';
import type { RunSpec } from '../contract/run-spec';

/** What a run has measured from change to change: of the design, or by an action that was carried out. */
export function measuredPhases(
  { marks, intervals, spec }: { marks: readonly Mark[]; intervals: readonly PhaseInterval[]; spec: RunSpec },
  manifest: Manifest,
): Phase[] {
  let design = spec.design;
  const phase_marks = marks.flatMap((mark): PhaseMark[] => {
    const t_s = mark.run_ns / 1e9;
    const meaning = meaningOf(mark, manifest);
    if (meaning?.kind === 'knob') {
      design = { ...design, [meaning.knob.id]: meaning.variant.id };
      return [{ t_s, kind: 'design', label: designInWords(design, manifest) }];
    }
    const is_done = meaning?.kind === 'action' && !meaning.is_refused;
    return is_done ? [{ t_s, kind: 'action', label: meaning.action.title }] : [];
  });
  return phasesOf(intervals, phase_marks, designInWords(spec.design, manifest));
}

/** A preset's name, else the titles of the variants. */
function designInWords(design: Design, manifest: Manifest): string {
  const preset = presetOf(manifest, design);
  if (preset !== null) return `design ${preset.replaceAll('_', ' ')}`;
  const titles = manifest.knobs.map(
    ({ id, variants }) => variants.find((variant) => variant.id === design[id])?.title,
  );
  return titles.join('; ');
}
