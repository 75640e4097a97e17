import { phasesOf, type Phase, type PhaseMark } from '../analysis/phases';
import type { Mark } from '../engine-client/snapshot';
import type { HistoryRows } from '../recording/history';
import { meaningOf } from '../recording/mark-meaning';
import { timeScaleOf } from '../recording/time-scale';
import { presetOf, type Design } from '../contract/design';
import type { Manifest } from '../contract/manifest';
import type { RunSpec } from '../contract/run-spec';

/** A mark that changed what is measured, with what holds from then on. */
export interface RunPhaseMark extends PhaseMark {
  design: Design;
  /** Ids of the actions that were carried out so far, oldest first. */
  actions: readonly string[];
}

export type RunPhase = Phase<RunPhaseMark>;

interface Measured {
  marks: readonly Mark[];
  history: HistoryRows;
  spec: RunSpec;
}

/** What a run has measured from change to change: of the design, or by an action that was carried out. */
export function measuredPhases({ marks, history, spec }: Measured, manifest: Manifest): RunPhase[] {
  const first: RunPhaseMark = {
    t_s: 0,
    kind: 'design',
    label: designInWords(spec.design, manifest),
    design: spec.design,
    actions: [],
  };
  return phasesOf({
    totals: { t_s: history.column('t_s'), transactions: history.column('transactions') },
    marks: phaseMarks(marks, first, manifest),
    first,
    clients: spec.threads,
    shortest_s: timeScaleOf(spec).point_window_s,
  });
}

function phaseMarks(marks: readonly Mark[], first: RunPhaseMark, manifest: Manifest): RunPhaseMark[] {
  let { design, actions } = first;
  return marks.flatMap((mark): RunPhaseMark[] => {
    const t_s = mark.run_ns / 1e9;
    const meaning = meaningOf(mark, manifest);
    if (meaning?.kind === 'knob') {
      design = { ...design, [meaning.knob.id]: meaning.variant.id };
      return [{ t_s, kind: 'design', label: designInWords(design, manifest), design, actions }];
    }
    if (meaning?.kind !== 'action' || meaning.is_refused) return [];
    actions = [...actions, meaning.action.id];
    return [{ t_s, kind: 'action', label: meaning.action.title, design, actions }];
  });
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
