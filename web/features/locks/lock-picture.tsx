import type { ServerShape } from '../../contract/servers';
import { formatDurationNs } from '../../analysis/format';
import {
  latchEventInWords,
  lockPicture,
  type CoreSeen,
  type LineTransfer,
  type LockPicture,
} from '../../analysis/lock-picture';
import type { DeclaredWord } from '../../analysis/latch-words';
import { allFollowed, type LatchMoment } from '../../analysis/latch-moment';
import type { LatchEvent } from '../../contract/telemetry-states';
import { CommandButton } from '../../widgets/command-button';
import {
  LatchPicture,
  roleInWords,
  type DrawnLatch,
  type DrawnPlace,
  type DrawnPlaces,
  type DrawnThread,
} from '../../widgets/latch-picture';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { followCommandId, followedTitles } from './locks-state';
import {
  exactTime,
  NO_LATCH_ACTIVITY,
  RUN_TO_TRACE,
  useMomentOf,
  useMomentCursor,
} from './use-moment-cursor';
import type { ExplorerState } from '../../session/store';
import './locks.css';

const CORE_PX = 22;

/** Draws the selected latch at the shown moment: the picture of one event, without motion. */
export function LockPicturePanel({ server }: { server: ServerShape }) {
  const reader = useMomentCursor();
  useMomentOf(reader);
  const { chosen, moment } = reader;
  const isFile = useExplorer(({ opened }) => opened !== null);
  const hasRun = useExplorer(({ spec }) => spec !== null);
  const declared = useExplorer(declaredWords);
  // A run that continues would be announced too often.
  const isHeld = useExplorer((state) => state.locks.holdsMoment);
  const nameOf: NameOf = (slot) => reader.nameOf(slot);
  if (chosen === null || moment === null)
    return (
      <Panel title="Latch, event by event">
        <p className="muted">
          {isFile ? 'A result file has no latch events.' : hasRun ? NO_LATCH_ACTIVITY : RUN_TO_TRACE}
        </p>
      </Panel>
    );
  const latchClass = chosen.events.find(({ access }) => access !== null)?.access?.latch_class ?? -1;
  const picture = lockPicture(moment, latchClass, server, declared);
  return (
    <Panel
      title="Latch, event by event"
      remark={`${reader.look === null ? 'now, ' : ''}${exactTime(moment.atNs)}`}
      className="lock-picture-panel"
    >
      <Steps />
      <LatchPicture
        latch={drawnLatch(reader.latchName(chosen), { moment, picture, declared }, nameOf, isHeld)}
      />
    </Panel>
  );
}

/** Returns the words of the reader's latch. The engine runs it, so its program has no fault. */
const declaredWords = ({ spec }: ExplorerState) =>
  (spec?.latch?.program.words as readonly DeclaredWord[] | undefined) ?? noWords;

const noWords: readonly DeclaredWord[] = [];

/** Steps from one event to the next. */
function Steps() {
  const { isPlaying, followed } = useExplorer((state) => state.locks);
  return (
    <div className="lock-steps">
      <span className="steps" role="group" aria-label="Latch events">
        <CommandButton command="locks.step_back" className="button-small">
          ◀ Event
        </CommandButton>
        <CommandButton command="locks.step_forward" className="button-small">
          Event ▶
        </CommandButton>
        <CommandButton
          command="locks.play"
          className="button-small"
          pressed={isPlaying}
          title="Play events slowly"
        >
          {isPlaying ? 'Stop' : 'Play slowly'}
        </CommandButton>
      </span>
      <span className="steps" role="group" aria-label="Step along">
        <span aria-hidden="true">Step along</span>
        {allFollowed.map((one) => (
          <CommandButton
            key={one}
            command={followCommandId(one)}
            className="button-small"
            pressed={one === followed}
          >
            {followedTitles[one]}
          </CommandButton>
        ))}
      </span>
    </div>
  );
}

type NameOf = (slot: number) => string;

interface Seen {
  moment: LatchMoment;
  picture: LockPicture;
  declared: readonly DeclaredWord[];
}

function drawnLatch(name: string, seen: Seen, nameOf: NameOf, isHeld: boolean): DrawnLatch {
  const { moment, picture } = seen;
  const named = (slot: number, text?: string): DrawnThread => ({
    slot,
    name: nameOf(slot),
    ...(text !== undefined && { text }),
  });
  const threadsOf = (threads: readonly { slot: number }[]) => threads.map(({ slot }) => named(slot));
  return {
    name,
    holders: moment.holders.map(({ slot, mode, sinceNs }) =>
      named(slot, `${mode === null ? '' : `${mode} `}${formatDurationNs(moment.atNs - sinceNs)}`),
    ),
    whileFree: whileFree(picture, nameOf),
    next: nextInWords(picture, nameOf),
    events: eventsInWords(seen, nameOf, isHeld),
    places: coresDrawn(picture, nameOf),
    line: `The latch’s cache line: ${picture.line}${
      picture.transfer === null ? '' : `; it moves ${transferInWords(picture.transfer)}`
    }.`,
    wordsTitle: 'Words on this line',
    words: picture.words.map(({ name: word, hex, meaning }) => ({ name: word, value: hex, meaning })),
    queues: [
      {
        title: 'Queue for the line',
        threads: picture.asking.map(({ slot, inNs }) => named(slot, formatDurationNs(inNs))),
      },
      { title: 'Spinning', threads: threadsOf(picture.spinning) },
      { title: 'Asleep', threads: threadsOf(picture.sleeping) },
    ],
  };
}

/** A latch's word changes slightly before or after its thread proceeds. */
function whileFree({ isWordFree, tellsWordFree, next }: LockPicture, nameOf: NameOf): string {
  if (isWordFree) return ' is free';
  if (next?.inNs === 0) return `: ${nameOf(next.slot)} is acquiring it`;
  return tellsWordFree ? ' is free; release not visible yet' : ' is free';
}

const nextInWords = ({ next }: LockPicture, nameOf: NameOf) =>
  next === null
    ? null
    : `Next: ${nameOf(next.slot)}${next.inNs > 0 ? `, in ${formatDurationNs(next.inNs)}` : ''}`;

function eventsInWords({ moment, declared }: Seen, nameOf: NameOf, isHeld: boolean) {
  const { last, next, atNs } = moment;
  const inWords = (event: LatchEvent) => latchEventInWords(event, nameOf(event.slot), declared);
  return [
    { title: 'Event', text: last === null ? 'No earlier event' : inWords(last), isTold: isHeld },
    {
      title: 'Next event',
      text: next === null ? 'No next event' : `${laterBy(next.at_ns - atNs)}: ${inWords(next)}`,
    },
  ];
}

const laterBy = (ns: number) => (ns === 0 ? 'at the same time' : `${formatDurationNs(ns)} later`);

const transferInWords = ({ from, to, tookNs }: LineTransfer) =>
  `from core ${from} to core ${to} in ${formatDurationNs(tookNs)}`;

function coresDrawn({ sockets, transfer }: LockPicture, nameOf: NameOf): DrawnPlaces {
  return {
    groups: sockets.map((cores, socket) => ({
      title: `Socket ${socket}`,
      places: cores.map((seen) => coreDrawn(seen, nameOf)),
    })),
    inWords: coresInWords(sockets, nameOf),
    widthPx: CORE_PX,
    heightPx: CORE_PX,
    roles: ['holds', 'asks', 'spins'],
    marks: ['owner', 'copy'],
    transfer: transfer && {
      from: transfer.from,
      to: transfer.to,
      words: `line transfer: ${formatDurationNs(transfer.tookNs)}`,
    },
  };
}

const whoIsOn = ({ threads }: CoreSeen, nameOf: NameOf) =>
  threads.map(({ slot, role }) => `${nameOf(slot)} ${roleInWords(role)}`).join(', ');

const coreDrawn = (seen: CoreSeen, nameOf: NameOf): DrawnPlace => ({
  number: seen.core,
  lines: [String(seen.core)],
  role: seen.threads[0]?.role ?? null,
  mark: seen.line,
  words: `Core ${seen.core}: ${seen.threads.length === 0 ? 'no thread uses the latch' : whoIsOn(seen, nameOf)}`,
});

function coresInWords(sockets: readonly CoreSeen[][], nameOf: NameOf): string {
  const seen = sockets.flat().filter(({ threads }) => threads.length > 0);
  if (seen.length === 0) return 'No core runs a thread that uses this latch.';
  return seen.map((each) => `Core ${each.core}: ${whoIsOn(each, nameOf)}.`).join(' ');
}
