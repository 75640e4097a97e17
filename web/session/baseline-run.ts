// Converts the shown run to a spec that repeats it, with interactive changes as timed actions.
import { pairsOfRunSpec } from '../contract/run-spec-pairs';
import type { RunSpec, TimedAction } from '../contract/run-spec';
import { conditionsAfter, type RunMark } from '../recording/run-marks';
import type { ExplorerState } from './store';

type Shown = Pick<ExplorerState, 'spec' | 'marks' | 'result' | 'whatIfByHand'>;

/** Returns the spec of the shown run with its interactive what-if; null before the first run. */
export function specWithWhatIf({ spec, marks, whatIfByHand }: Omit<Shown, 'result'>): RunSpec | null {
  const isSupposed = marks.some(({ kind, is_by_hand }) => kind === 'what_if' && is_by_hand);
  return spec === null || whatIfByHand === null || !isSupposed ? spec : { ...spec, what_if: whatIfByHand };
}

/**
 * Returns null before the first run. After a run, uses the engine's result, which on the virtual
 * server also has the time of its stop.
 */
export function baselineRun({ result, ...shown }: Shown): RunSpec | null {
  const { marks } = shown;
  const spec = specWithWhatIf(shown);
  if (spec === null) return null;
  if (result !== null) {
    const { actions, duration_s } = result.spec;
    return { ...spec, actions, duration_s };
  }
  const byHand = marks.flatMap((mark) => actionOf(mark) ?? []);
  return { ...spec, actions: inTheirOrder(spec.actions, byHand) };
}

function actionOf(mark: RunMark): TimedAction | null {
  if (!mark.is_by_hand) return null;
  const atS = mark.step_ns / 1e9;
  if (mark.kind === 'action') return { at_s: atS, action: mark.action.id };
  if (mark.kind === 'knob') return { at_s: atS, knob: mark.knob.id, variant: mark.variant.id };
  return null;
}

/** Uses the engine's order: at equal times, planned actions come first. */
const inTheirOrder = (planned: readonly TimedAction[], byHand: readonly TimedAction[]) =>
  [...planned, ...byHand].sort((a, b) => a.at_s - b.at_s);

/**
 * Returns whether the next run equals the shown one, apart from knobs and what-ifs changed during
 * that run.
 */
export function isNextRunTheSame({
  draftSpec,
  ...shown
}: Pick<ExplorerState, 'draftSpec' | 'spec' | 'marks' | 'whatIfByHand'>): boolean {
  const { spec, marks } = shown;
  if (draftSpec === null || spec === null) return false;
  const { design } = conditionsAfter(spec.design, marks);
  return [spec, specWithWhatIf(shown)!]
    .flatMap((known) => [known, { ...known, design }])
    .some((known) => isSameRun(known, draftSpec));
}

export const isSameRun = (a: RunSpec, b: RunSpec) =>
  a.scenario === b.scenario && JSON.stringify(pairsOfRunSpec(a)) === JSON.stringify(pairsOfRunSpec(b));
