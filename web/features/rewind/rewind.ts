// Defines the commands that move a run on the virtual server to another moment.
import type { PastReadings } from '../../contract/page-readings';
import type { CommandSource } from '../../session/command-registry';
import { refusalToReplace } from '../../session/run-lock';
import type { Session } from '../../session/session';
import type { ExplorerState } from '../../session/store';

const STEP_NS = 10_000;

/** Returns the moments that the run can move to; null if there are none. */
export function pastOf({ model, spec, series, opened }: ExplorerState): PastReadings | null {
  if (spec === null || series !== null || opened !== null) return null;
  const past = model?.past ?? null;
  return past === null || (past.keyframes ?? 0) === 0 ? null : past;
}

/**
 * Returns why the shown run cannot move to another moment; null if it can, or if there is no run.
 */
export function whyNoMoments({ model }: ExplorerState): string | null {
  const past = model?.past ?? null;
  if (past?.keyframes !== null) return null;
  const budgetMib = Math.round(past.budget_bytes / 2 ** 20);
  return `This run cannot go back: its server does not fit in the ${budgetMib} MiB for checkpoints. Use a smaller buffer pool.`;
}

const nowNs = ({ model }: ExplorerState) => model?.run_ns ?? 0;
const canGo = (state: ExplorerState) => pastOf(state) !== null && refusalToReplace(state) === null;
const canGoBack = (state: ExplorerState) => canGo(state) && nowNs(state) > 0;

/** Returns the last mark before the present moment. */
function lastMarkBefore(state: ExplorerState): number | null {
  return state.marks.findLast(({ run_ns }) => run_ns < nowNs(state))?.run_ns ?? null;
}

/**
 * Returns the begin of the selected wait, hold or activity, if it was before the present moment.
 */
function beginOfSelected(state: ExplorerState): number | null {
  const { selected } = state;
  if (selected?.kind !== 'span' || selected.fromNs === null) return null;
  return selected.fromNs < nowNs(state) ? selected.fromNs : null;
}

function newest(state: ExplorerState): PastReadings | null {
  const past = pastOf(state);
  const events = state.model?.events ?? 0;
  return past !== null && past.furthest_events > events ? past : null;
}

export function rewindCommands(session: Session): CommandSource {
  const now = () => session.store.getState();
  const unlessEnabled = 'needs a run on the virtual server with checkpoints';
  const back = (id: string, title: string, execute: () => Promise<void>) => ({
    id: `rewind.${id}`,
    title,
    isEnabled: canGoBack,
    unlessEnabled,
    execute,
  });
  /** `momentIn` returns run time in nanoseconds; null if there is no such moment. */
  const to = (
    id: string,
    title: string,
    unless: string,
    momentIn: (state: ExplorerState) => number | null,
  ) => ({
    id: `rewind.${id}`,
    title,
    isEnabled: (state: ExplorerState) => canGo(state) && momentIn(state) !== null,
    unlessEnabled: unless,
    execute: async () => {
      const runNs = momentIn(now());
      if (runNs !== null) await session.goTo({ run_ns: runNs });
    },
  });
  return {
    commands: () => [
      back('event', 'Back 1 event', () => session.goTo({ events_back: 1 })),
      back('step', 'Back 10 µs', () =>
        session.goTo({ run_ns: Math.max(0, (Math.ceil(nowNs(now()) / STEP_NS) - 1) * STEP_NS) }),
      ),
      to('mark', 'Back to last mark', 'no earlier mark', lastMarkBefore),
      to('selected', 'Back to selection start', 'no earlier span is selected in the lanes', beginOfSelected),
      back('start', 'Back to start', () => session.goTo({ run_ns: 0 })),
      {
        id: 'rewind.newest',
        title: 'Forward to latest time',
        isEnabled: (state) => canGo(state) && newest(state) !== null,
        unlessEnabled: 'the run is at its latest time',
        execute: async () => {
          const past = newest(now());
          if (past !== null) await session.goTo({ events: past.furthest_events });
        },
      },
    ],
  };
}
