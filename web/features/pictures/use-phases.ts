import { phaseFigures, type PhaseFigures } from '../../analysis/pictures/phase-figures';
import { countedSeconds } from '../../session/opened-result';
import type { ExplorerState } from '../../session/store';
import { useExplorer, useInFrame, useSession } from '../../widgets/session-context';

/** Returns the phases of the shown run, updated as often as the tables. */
export function usePhaseFigures(): PhaseFigures[] {
  const session = useSession();
  // The run's data change with these.
  useInFrame(({ live }) => live);
  useExplorer(({ spec }) => spec);
  const state = session.store.getState();
  if (state.spec === null) return [];
  if (state.opened !== null) return wholeRun(state);
  const names = session.lanesNow()?.names;
  if (names === undefined) return [];
  const { spec, marks, scenario } = state;
  return phaseFigures({
    readings: session.phaseReadings.all,
    marks,
    design: spec.design,
    names,
    manifest: scenario.manifest,
    isModeled: spec.platform === 'virtual',
  });
}

/** A file has the totals of its run, but not per design. */
function wholeRun({ result, live, spec }: ExplorerState): PhaseFigures[] {
  if (result === null || live === null || spec === null) return [];
  if (spec.actions.some((timed) => 'knob' in timed)) return [];
  const seconds = countedSeconds(result);
  const count = (counter: string) => result.counters[counter] ?? 0;
  return [
    {
      design: spec.design,
      actions: spec.actions.flatMap((timed) => ('action' in timed ? timed.action : [])),
      fromNs: 0,
      untilNs: seconds * 1e9,
      seconds,
      count,
      total: count,
      latches: live.latch_rows,
    },
  ];
}
