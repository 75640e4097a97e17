import { phasesOf, type Phase, type PhaseMark } from '../analysis/phases';
import type { HistoryRows } from '../recording/history';
import { withMark, type Conditions, type RunMark } from '../recording/run-marks';
import { timeScaleOf } from '../recording/time-scale';
import type { Manifest } from '../contract/manifest';
import type { RunSpec } from '../contract/run-spec';
import { designTitle } from './designs';
import { LATCH_STOPPED } from './log';
import { changesInWords } from './what-if-words';

/** A mark that changed the measured conditions, with the conditions after it. */
export interface RunPhaseMark extends PhaseMark, Conditions {}

export type RunPhase = Phase<RunPhaseMark>;

interface Measured {
  marks: readonly RunMark[];
  history: HistoryRows;
  spec: RunSpec;
}

/** Splits a run into phases at each change of the design and each fired action. */
export function measuredPhases({ marks, history, spec }: Measured, manifest: Manifest): RunPhase[] {
  const first: RunPhaseMark = {
    tS: 0,
    kind: 'design',
    label: designTitle(manifest, spec.design),
    design: spec.design,
    actions: [],
  };
  return phasesOf({
    totals: { tS: history.column('t_s'), transactions: history.column('transactions') },
    marks: phaseMarks({ marks, spec }, first, manifest),
    first,
    clients: spec.threads,
    shortestS: timeScaleOf(spec).pointWindowS,
  });
}

function phaseMarks(
  { marks, spec }: Omit<Measured, 'history'>,
  first: RunPhaseMark,
  manifest: Manifest,
): RunPhaseMark[] {
  let conditions: Conditions = { design: first.design, actions: first.actions };
  return marks.flatMap((mark): RunPhaseMark[] => {
    const before = conditions;
    conditions = withMark(before, mark);
    return conditions === before
      ? []
      : [{ ...conditions, ...inWords(mark, { ...spec, design: conditions.design }, manifest) }];
  });
}

function inWords(mark: RunMark, { design, what_if }: RunSpec, manifest: Manifest): PhaseMark {
  const tS = mark.run_ns / 1e9;
  if (mark.kind === 'action') return { tS, kind: 'action', label: mark.action.title };
  if (mark.kind === 'latch_stopped') return { tS, kind: 'action', label: LATCH_STOPPED };
  if (mark.kind === 'what_if') return { tS, kind: 'action', label: changesInWords(what_if) ?? 'What if' };
  return { tS, kind: 'design', label: designTitle(manifest, design) };
}
