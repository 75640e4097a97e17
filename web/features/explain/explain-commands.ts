// Defines the commands that explain transactions and that use an explanation.
import { bisectLeft } from 'd3-array';

import type { TimeRange } from '../../recording/time-scale';
import { shownRange } from '../../session/chart-picture';
import { isAvailable, unlessRefused, type Command, type CommandSource } from '../../session/command-registry';
import type { Session } from '../../session/session';
import type { ClientMoment, ExplorerState } from '../../session/store';
import type { Explanations } from './explanations';
import type { Explaining } from './explain-state';
import {
  blameOf,
  ofClient,
  oldestUnderWay,
  p99Of,
  shownUntil,
  slowestOf,
  whyNotExplained,
  windowOf,
  type Wanted,
} from './which-transaction';

type ExplainCommand = Command;
type Done = Extract<Explaining, { stage: 'done' }>;

export function explainCommands(explanations: Explanations): CommandSource {
  return {
    commands: () => [
      ...commandsThatExplain(explanations),
      cancelCommand(explanations),
      ...commandsOfWalk(explanations),
      ...commandsOfExplanation(explanations),
    ],
  };
}

/** A transaction to explain; `wanted` returns null while there is none of its kind. */
interface Choice {
  id: string;
  what: string;
  wanted: () => Wanted | null;
  /** What the reader must do first. */
  unlessEnabled?: string;
}

function commandsThatExplain(explanations: Explanations): ExplainCommand[] {
  const { session, ports } = explanations;
  const stateNow = () => session.store.getState();
  const upToNow = (range: TimeRange) => windowOf(range, shownUntil(stateNow()));
  const ofCharts = () => upToNow(rangeOfCharts(session));
  const ofLanes = () => {
    const range = ports.locks.moment?.range;
    return upToNow(range ? { fromS: range.fromNs / 1e9, toS: range.toNs / 1e9 } : wholeRun);
  };
  const ofPoint = (make: (window: TimeRange) => Wanted) => {
    const window = windowOfPoint(session);
    return window === null ? null : make(window);
  };
  const ofMoment = (moment: ClientMoment | null) =>
    moment === null || !isClient(stateNow(), moment) ? null : ofClient(moment);
  const noPoint = 'select a time in the latency chart first';
  const choices: Choice[] = [
    {
      id: 'slowest',
      what: 'the slowest transaction in the charts',
      wanted: () => slowestOf(ofCharts()),
    },
    { id: 'p99', what: 'the p99 transaction in the charts', wanted: () => p99Of(ofCharts()) },
    {
      id: 'p99_now',
      what: 'the p99 latency shown now',
      wanted: () => {
        const window = windowOfTile(stateNow());
        return window === null ? null : p99Of(window);
      },
      unlessEnabled: 'no p99 latency is shown yet',
    },
    {
      id: 'point_slowest',
      what: 'the slowest transaction at the selected time',
      wanted: () => ofPoint(slowestOf),
      unlessEnabled: noPoint,
    },
    {
      id: 'point_p99',
      what: 'the p99 transaction at the selected time',
      wanted: () => ofPoint(p99Of),
      unlessEnabled: noPoint,
    },
    {
      id: 'slowest_in_lanes',
      what: 'the slowest transaction in the lanes',
      wanted: () => slowestOf(ofLanes()),
    },
    {
      id: 'oldest',
      what: 'the oldest active transaction',
      wanted: () => oldestUnderWay,
    },
    {
      id: 'held',
      what: 'the transaction pinned in the lanes',
      wanted: () => ofMoment(ports.locks.moment?.held ?? null),
      unlessEnabled: 'pin a client in the lanes first',
    },
    {
      id: 'selected',
      what: 'the transaction of the selected client',
      wanted: () => ofMoment(selectedMoment(stateNow())),
      unlessEnabled: 'select a client in the lanes or the latch track first',
    },
    {
      id: 'blame',
      what: 'the waits of the slowest 1 % in the charts',
      wanted: () => blameOf(ofCharts()),
    },
  ];
  return choices.map((choice) => commandOf(choice, explanations));
}

const commandOf = (
  { id, what, wanted, unlessEnabled = 'nothing to explain is shown' }: Choice,
  explanations: Explanations,
): ExplainCommand => ({
  id: `explain.${id}`,
  title: `Explain ${what}`,
  isEnabled: (state) => whyNotExplained(state) === null && wanted() !== null,
  whyNot: (state) => whyNotExplained(state)?.message ?? unlessEnabled,
  execute: async () => {
    const chosen = wanted();
    if (chosen === null) return;
    // The view shows the reason for a refusal.
    await unlessRefused(async () => {
      await explanations.explain(chosen);
    });
  },
});

/** Returns false for the server's own threads. */
const isClient = ({ spec }: ExplorerState, { slot }: ClientMoment) => slot < (spec?.threads ?? 0);

const selectedMoment = ({ selected }: ExplorerState) =>
  selected?.kind === 'span' ? selected.clientMoment : null;

const wholeRun: TimeRange = { fromS: 0, toS: Infinity };

/**
 * Charts that show all readings represent the whole run, although the last reading is before its
 * end.
 */
function rangeOfCharts(session: Session): TimeRange {
  const range = shownRange(session);
  return range.fromS <= 0 && range.toS >= session.history.endS ? wholeRun : range;
}

/** Returns the run time that the p99 latency above the charts covers. */
function windowOfTile({ live }: ExplorerState): TimeRange | null {
  if (live?.p99_ns == null) return null;
  return { fromS: Math.max(0, live.run_s - live.rate_window_s), toS: live.run_s };
}

/** Returns the run time that the selected or pointed-at point of the latency chart covers. */
function windowOfPoint(session: Session): TimeRange | null {
  const { selected } = session.store.getState();
  const tS = selected?.kind === 'point' ? selected.tS : session.pointing.getState().tS;
  if (tS === null) return null;
  const times = session.history.column('t_s');
  const row = bisectLeft(times, tS);
  const fromS = session.history.column('from_s')[row] ?? Number.NaN;
  return times[row] === tS && !Number.isNaN(fromS) ? { fromS, toS: tS } : null;
}

const cancelCommand = (explanations: Explanations): ExplainCommand => ({
  id: 'explain.cancel',
  title: 'Cancel explanation',
  isEnabled: ({ explaining }) => explaining.stage === 'under_way',
  unlessEnabled: 'no explanation is running',
  execute: () => explanations.close(),
});

/**
 * Moves from part to part of the transaction. Without a current part, moves to the last part or the
 * first.
 */
function commandsOfWalk(explanations: Explanations): ExplainCommand[] {
  return [
    stepCommand('earlier_part', 'previous part', 'this is the first part', explanations, ({ walk, part }) =>
      part === null ? walk.length - 1 : part - 1,
    ),
    stepCommand('later_part', 'next part', 'this is the last part', explanations, ({ part }) =>
      part === null ? 0 : part + 1,
    ),
    {
      id: 'explain.all_parts',
      title: 'Explanation: all parts',
      isEnabled: ({ explaining }) => explaining.stage === 'done' && explaining.part !== null,
      unlessEnabled: 'no part is shown',
      execute: () => explanations.lookAtPart(null),
    },
  ];
}

function stepCommand(
  id: string,
  title: string,
  atEnd: string,
  explanations: Explanations,
  nextOf: (done: Done) => number,
): ExplainCommand {
  const next = ({ explaining }: ExplorerState) => {
    if (explaining.stage !== 'done') return null;
    const part = nextOf(explaining);
    return explaining.walk[part] === undefined ? null : part;
  };
  return {
    id: `explain.${id}`,
    title: `Explanation: ${title}`,
    isEnabled: (state) => next(state) !== null,
    whyNot: ({ explaining }) => {
      if (explaining.stage !== 'done') return 'explain a transaction first';
      return explaining.walk.length === 0 ? 'the chain has too many parts to walk' : atEnd;
    },
    execute: () => {
      const part = next(explanations.session.store.getState());
      if (part !== null) explanations.lookAtPart(part);
    },
  };
}

function commandsOfExplanation(explanations: Explanations): ExplainCommand[] {
  const { session, ports } = explanations;
  const say = (announcement: string) => {
    session.store.setState({ announcement });
  };
  const copy = async (text: string, what: string) => {
    say(`${what}: ${await ports.copyText(text)}`);
  };
  return [
    onceDone('show_in_lanes', 'show chain in lanes', explanations, () => {
      explanations.showPath();
      ports.locks.revealLanes();
    }),
    onceDone('copy_text', 'copy as text', explanations, ({ text }) => copy(text, 'Explanation')),
    csvCommand(explanations, copy),
    onceDone('copy_json', 'copy as JSON', explanations, ({ json }) => copy(json, 'Explanation as JSON')),
    onceDone('save_json', 'save as JSON', explanations, ({ json }) => {
      ports.files.save('explanation.json', new Blob([json, '\n'], { type: 'application/json' }));
      say('Saved explanation.json');
    }),
    onceDone('close', 'close', explanations, () => explanations.close()),
  ];
}

function csvCommand(
  explanations: Explanations,
  copy: (text: string, what: string) => Promise<void>,
): ExplainCommand {
  const command = onceDone('copy_csv', 'copy all parts as CSV', explanations, async ({ explanation }) => {
    if (explanation === null) return;
    const { explanationCsv } = await import('../../analysis/exports/explanation-csv');
    await copy(explanationCsv(explanation), 'Explanation as CSV');
  });
  const isTooLarge = ({ explaining }: ExplorerState) =>
    explaining.stage === 'done' && explaining.explanation === null;
  return {
    ...command,
    isEnabled: (state) => isAvailable(command, state) && !isTooLarge(state),
    whyNot: (state) =>
      isTooLarge(state) ? 'the chain has too many parts; save it as JSON instead' : command.unlessEnabled!,
  };
}

const onceDone = (
  id: string,
  title: string,
  { session }: Explanations,
  execute: (done: Done) => void | Promise<void>,
): ExplainCommand => ({
  id: `explain.${id}`,
  title: `Explanation: ${title}`,
  isEnabled: ({ explaining }) => explaining.stage === 'done',
  unlessEnabled: 'explain a transaction first',
  execute: async () => {
    const { explaining } = session.store.getState();
    if (explaining.stage === 'done') await execute(explaining);
  },
});
