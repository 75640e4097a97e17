// Finds the recorded run that equals a run. The runs of a bug's card are recorded, and a run on the
// virtual server is always the same. So the charts can show all of it while the engine is still
// computing it.
import type { DrawnInterval, Scenario } from '../contract/manifest';
import { defaultRunSpec, type Machine, type RunSpec } from '../contract/run-spec';
import { pairsOfRunSpec } from '../contract/run-spec-pairs';
import { History } from '../recording/history';
import { designTitle } from './designs';
import { stepsOf } from './opened-result';
import type { PreviousRun } from './previous-run';

/** With fewer intervals, there is nothing to draw. */
const INTERVALS_MIN = 2;

/**
 * Returns the recording that matches this run, up to where both are equal; null if none matches.
 */
export function recordedRunOf(
  { manifest, front_run }: Scenario,
  spec: RunSpec,
  machine: Machine,
): PreviousRun | null {
  if (spec.platform !== 'virtual') return null;
  for (const { spec: part, intervals } of front_run?.runs ?? []) {
    const sameToS = sameUntilS(spec, defaultRunSpec(manifest, machine, 'virtual', part));
    const same = intervals.filter(({ t_s }) => t_s <= sameToS);
    if (same.length < INTERVALS_MIN) continue;
    return {
      history: historyOf(same),
      design: designTitle(manifest, spec.design),
      threads: spec.threads,
      phases: [],
      whatIf: null,
      kind: 'recorded',
    };
  }
  return null;
}

/**
 * Two runs are equal until the first of them ends, or until an action occurs in only one of them.
 */
function sameUntilS(one: RunSpec, other: RunSpec): number {
  if (beginOf(one) !== beginOf(other)) return 0;
  const done = [one, other].map(({ actions }) => actions.map((action) => JSON.stringify(action)));
  const onlyInOne = [one, other].flatMap(({ actions }, i) =>
    actions.filter((action) => !done[1 - i]!.includes(JSON.stringify(action))),
  );
  const endsS = [one, other].map(({ duration_s }) => duration_s ?? Number.POSITIVE_INFINITY);
  return Math.min(...endsS, ...onlyInOne.map(({ at_s }) => at_s));
}

const beginOf = (spec: RunSpec) => JSON.stringify(pairsOfRunSpec({ ...spec, duration_s: null, actions: [] }));

function historyOf(intervals: readonly DrawnInterval[]): History {
  const history = new History();
  history.show(stepsOf(intervals));
  return history;
}
