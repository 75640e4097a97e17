// The run that is shown, as a spec that repeats it: with what was done by hand, at its times.
import { pairsOfRunSpec } from '../contract/run-spec-pairs';
import type { RunSpec, TimedAction } from '../contract/run-spec';
import { conditionsAfter, type RunMark } from '../recording/run-marks';
import type { ExplorerState } from './store';

type Shown = Pick<ExplorerState, 'spec' | 'marks' | 'result' | 'supposed'>;

/** The spec of the run that is shown, with what was supposed by hand since it began; null before the first run. */
export function specAsSupposed({ spec, marks, supposed }: Omit<Shown, 'result'>): RunSpec | null {
  const is_supposed = marks.some(({ kind, is_by_hand }) => kind === 'what_if' && is_by_hand);
  return spec === null || supposed === null || !is_supposed ? spec : { ...spec, what_if: supposed };
}

/**
 * Null before the first run. After a run, it comes from the engine's result, which on the virtual server includes when it was
 * stopped.
 */
export function runAsItWent({ result, ...shown }: Shown): RunSpec | null {
  const { marks } = shown;
  const spec = specAsSupposed(shown);
  if (spec === null) return null;
  if (result !== null) {
    const { actions, duration_s } = result.spec;
    return { ...spec, actions, duration_s };
  }
  const by_hand = marks.flatMap((mark) => actionOf(mark) ?? []);
  return { ...spec, actions: inTheirOrder(spec.actions, by_hand) };
}

function actionOf(mark: RunMark): TimedAction | null {
  if (!mark.is_by_hand) return null;
  const at_s = mark.step_ns / 1e9;
  if (mark.kind === 'action') return { at_s, action: mark.action.id };
  if (mark.kind === 'knob') return { at_s, knob: mark.knob.id, variant: mark.variant.id };
  return null;
}

/** As the engine has them: at the same time, what the spec said from the beginning comes first. */
const inTheirOrder = (planned: readonly TimedAction[], by_hand: readonly TimedAction[]) =>
  [...planned, ...by_hand].sort((a, b) => a.at_s - b.at_s);

/** Whether the next run is still the one that is shown, apart from what was turned and supposed while it went on. */
export function isNextRunTheSame({
  draft_spec,
  ...shown
}: Pick<ExplorerState, 'draft_spec' | 'spec' | 'marks' | 'supposed'>): boolean {
  const { spec, marks } = shown;
  if (draft_spec === null || spec === null) return false;
  const { design } = conditionsAfter(spec.design, marks);
  return [spec, specAsSupposed(shown)!]
    .flatMap((known) => [known, { ...known, design }])
    .some((known) => isSameRun(known, draft_spec));
}

export const isSameRun = (a: RunSpec, b: RunSpec) =>
  a.scenario === b.scenario && JSON.stringify(pairsOfRunSpec(a)) === JSON.stringify(pairsOfRunSpec(b));
