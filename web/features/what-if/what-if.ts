// Converts the next run's what-if to the panel's fields: one latch and one cost.
import { counted } from '../../analysis/format';
import type { LatchRow } from '../../contract/live-view';
import { latchesOf } from '../../contract/latches-of';
import type { Manifest } from '../../contract/manifest';
import { server_fields } from '../../contract/servers';
import { costOf } from '../../analysis/latch-table';
import type { Field, HandOver, LatchDraft, WhatIfDraft } from '../../contract/draft';
import type { CommandSource } from '../../session/command-registry';
import type { RunMark } from '../../recording/run-marks';
import type { Session } from '../../session/session';
import type { ExplorerState } from '../../session/store';

export const handOvers = {
  as_it_is: {},
  line: { line: 'still' },
  wake_up: { wake_up: 'free' },
  both: { line: 'still', wake_up: 'free' },
  free: { hand_over: 'free' },
} as const satisfies Record<HandOver, object>;

export const handOverTitles: Record<HandOver, string> = {
  as_it_is: 'unchanged',
  line: 'line stays',
  wake_up: 'wake-up free',
  both: 'line stays, wake-up free',
  free: 'free: both, seen at once',
};

/** The latch, or the cost, is null if it is unchanged. */
export interface ShownWhatIf {
  latch: { name: string; sectionPercent: Field; handOver: HandOver } | null;
  cost: { id: string; percent: Field } | null;
  /** Run time from which it applies, in seconds. */
  fromS: Field;
}

/** Returns null if it has more than the panel can show. */
export function shownOf(whatIf: WhatIfDraft | null): ShownWhatIf | null {
  const latches = whatIf?.latches ?? [];
  const costs = Object.entries(whatIf?.costs ?? {});
  if (latches.length > 1 || costs.length > 1) return null;
  const [latch] = latches;
  const [cost] = costs;
  const handOver = latch === undefined ? 'as_it_is' : handOverOf(latch);
  if (handOver === null) return null;
  return {
    latch:
      latch === undefined
        ? null
        : { name: latch.latch, sectionPercent: latch.section_percent ?? 100, handOver },
    cost: cost === undefined ? null : { id: cost[0], percent: cost[1] },
    fromS: whatIf?.from_s ?? 0,
  };
}

function handOverOf({ site, hand_over, line, wake_up }: LatchDraft): HandOver | null {
  if (site !== undefined) return null;
  if (hand_over !== undefined) return (line ?? wake_up) === undefined ? 'free' : null;
  if (line !== undefined) return wake_up === undefined ? 'line' : 'both';
  return wake_up === undefined ? 'as_it_is' : 'wake_up';
}

export function whatIfOf({ latch, cost, fromS }: ShownWhatIf): WhatIfDraft | null {
  if (latch === null && cost === null) return null;
  return {
    ...(cost !== null && { costs: { [cost.id]: cost.percent } }),
    ...(latch !== null && { latches: [latchOf(latch)] }),
    ...(fromS !== 0 && { from_s: fromS }),
  };
}

const latchOf = ({ name, sectionPercent, handOver }: NonNullable<ShownWhatIf['latch']>): LatchDraft => ({
  latch: name,
  section_percent: sectionPercent,
  ...handOvers[handOver],
});

const LATCHES_FIRST = 5;

/**
 * Groups the latches of a scenario's server: the most expensive ones of the shown run, and all
 * others.
 */
export function latchChoices(
  manifest: Manifest,
  rows: readonly LatchRow[],
): { costliest: string[]; others: string[] } {
  const all = Object.keys(latchesOf(manifest));
  const costliest = rows
    .filter((row) => costOf(row) > 0 && all.includes(row.latch))
    .toSorted((a, b) => costOf(b) - costOf(a))
    .slice(0, LATCHES_FIRST)
    .map(({ latch }) => latch);
  return { costliest, others: all.filter((latch) => !costliest.includes(latch)) };
}

export const costChoices = server_fields.filter(({ unit }) => unit === 'ps' || unit === 'percent');

export const howMuch = ({ latches = [], costs = {} }: WhatIfDraft): string =>
  `${counted(latches.length, 'latch', 'latches')}, ${counted(Object.keys(costs).length, 'cost')}`;

/** Returns whether the current run can get a what-if. A run has at most one. */
export function canApplyWhatIf({ draftSpec, spec, runLock, marks }: ExplorerState): boolean {
  const isGoing = runLock === 'going' && spec?.platform === 'virtual';
  const holds = (spec?.what_if !== undefined && (spec.what_if.from_s ?? 0) === 0) || marks.some(isWhatIf);
  return isGoing && !holds && draftSpec?.what_if !== undefined && draftSpec.scenario === spec.scenario;
}

const isWhatIf = ({ kind }: RunMark) => kind === 'what_if';

export function whatIfCommands(session: Session): CommandSource {
  return {
    commands: () => [
      {
        id: 'what_if.clear',
        title: 'Next run: remove what-if',
        isEnabled: ({ draft }) => draft.what_if !== null,
        unlessEnabled: 'the next run has no what-if',
        execute: () => session.editDraft({ what_if: null }),
      },
      {
        id: 'what_if.suppose',
        title: 'This run: apply what-if here',
        isEnabled: canApplyWhatIf,
        unlessEnabled: 'this needs a what-if and an active run on the virtual server without one',
        execute: () => {
          const { costs, latches } = session.store.getState().draftSpec!.what_if!;
          return session.suppose({ ...(costs && { costs }), ...(latches && { latches }) });
        },
      },
      {
        id: 'what_if.from_here',
        title: 'Next run: start what-if at time shown',
        isEnabled: ({ draft, model }) => draft.what_if !== null && (model?.run_ns ?? 0) > 0,
        unlessEnabled: 'this needs a what-if and a run with a time shown',
        execute: () => {
          const { draft, model } = session.store.getState();
          session.editDraft({ what_if: { ...draft.what_if, from_s: (model?.run_ns ?? 0) / 1e9 } });
        },
      },
    ],
  };
}
