// The run that is shown, as a spec that repeats it: with what was done by hand, at its times.
import { pairsOfRunSpec } from '../contract/run-spec-pairs';
import type { RunSpec, TimedAction } from '../contract/run-spec';
import type { Mark } from '../engine-client/snapshot';
import { meaningOf, turnedTo } from '../recording/mark-meaning';
import type { Manifest } from '../contract/manifest';
import type { ExplorerState } from './store';

type Shown = Pick<ExplorerState, 'spec' | 'marks' | 'result' | 'scenario'>;

/** Null before the first run. Of a run that is over the engine says it, with the moment in which it was stopped on the virtual server. */
export function runAsItWent({ spec, marks, result, scenario }: Shown): RunSpec | null {
  if (spec === null) return null;
  if (result !== null) {
    const { actions, duration_s } = result.spec;
    return { ...spec, actions, duration_s };
  }
  const by_hand = marks.flatMap((mark) => stepOf(mark, scenario.manifest) ?? []);
  return { ...spec, actions: inTheirOrder(spec.actions, by_hand) };
}

function stepOf(mark: Mark, manifest: Manifest): TimedAction | null {
  const meaning = mark.is_by_hand ? meaningOf(mark, manifest) : null;
  const at_s = mark.step_ns / 1e9;
  if (meaning?.kind === 'action') return { at_s, action: meaning.action.id };
  if (meaning?.kind === 'knob') return { at_s, knob: meaning.knob.id, variant: meaning.variant.id };
  return null;
}

/** As the engine has them: at the same time, what the spec said from the beginning comes first. */
const inTheirOrder = (planned: readonly TimedAction[], by_hand: readonly TimedAction[]) =>
  [...planned, ...by_hand].sort((a, b) => a.at_s - b.at_s);

/** Whether the next run is still the one that is shown, apart from the knobs that were turned while it went on. */
export function isNextRunTheSame({
  draft_spec,
  spec,
  marks,
  scenario,
}: Pick<ExplorerState, 'draft_spec' | 'spec' | 'marks' | 'scenario'>): boolean {
  if (draft_spec === null || spec === null) return false;
  const turned = { ...spec, design: { ...spec.design, ...turnedTo(marks, scenario.manifest) } };
  return [spec, turned].some((shown) => isSameRun(shown, draft_spec));
}

const isSameRun = (a: RunSpec, b: RunSpec) =>
  a.scenario === b.scenario && JSON.stringify(pairsOfRunSpec(a)) === JSON.stringify(pairsOfRunSpec(b));
