// Converts one step of a walk to the lock picture. All of its data come from the checker.
import type { LabFault } from '../../contract/lab-results';
import { shownFault, valueInWords, type WalkStep, type WalkThread } from '../../analysis/latch-walk';
import type {
  DrawnEvent,
  DrawnLatch,
  DrawnPlace,
  DrawnPlaces,
  DrawnThread,
  DrawnWord,
  PlaceRole,
} from '../../widgets/latch-picture';
import { roleInWords } from '../../widgets/latch-picture';
import type { LabCheck } from './lab-state';

const PLACE_WIDTH_PX = 104;
const LINE_PX = 12;
const PADDING_PX = 12;
const COLUMNS_MAX = 3;
const SCALE_MAX = 1.5;
/** Length limit of a store's text in its thread's place. */
const CHARACTERS_MAX = 19;

export function walkPicture(check: LabCheck): DrawnLatch {
  const { walk, step: index } = check;
  const step = walk[index]!;
  return {
    name: 'Your latch',
    holders: step.threads.filter(isInside).map((thread) => named(thread.number, modeOf(thread, walk))),
    whileFree: ' is free',
    next: nextInside(walk, index),
    events: eventsOf(check),
    places: placesOf(walk, step),
    line: null,
    wordsTitle: 'Words, as all threads see them',
    words: step.cells.map(({ name, value, isChanged }) => ({
      ...{ name, value: valueInWords(value), isChanged, meaning: meaningOf(name, step) },
    })),
    queues: queuesOf(walk, step),
  };
}

const isInside = ({ phase }: WalkThread) => phase === 'holding';

const named = (number: number, text?: string): DrawnThread => ({
  slot: number - 1,
  name: `thread ${number}`,
  ...(text !== undefined && { text }),
});

/** Returns a mode only for an rw-latch. */
function modeOf({ isShared }: WalkThread, walk: LabCheck['walk']): string | undefined {
  const isRw = walk.some(({ threads }) => threads.some((thread) => thread.isShared));
  if (!isRw) return undefined;
  return isShared ? 'shared' : 'exclusively';
}

/** Describes the next thread that acquires the latch, and when. */
function nextInside(walk: LabCheck['walk'], index: number): string {
  for (const [later, { threads }] of walk.entries()) {
    if (later <= index) continue;
    const inNow = threads.find((thread, i) => isInside(thread) && !isInside(walk[later - 1]!.threads[i]!));
    if (inNow !== undefined) return `Next holder: thread ${inNow.number}, in step ${later}`;
  }
  return 'Next holder: no one';
}

function eventsOf({ walk, step: index, source, result }: LabCheck): DrawnEvent[] {
  const { line } = walk[index]!;
  const repeats = shownFault(result)?.repeats_from_step === index ? ' From here it can repeat forever.' : '';
  const code = line === null ? '' : (source.split('\n')[line - 1]?.trim() ?? '');
  return [
    {
      title: index === 0 ? 'Before step 1' : `Step ${index} of ${walk.length - 1}`,
      text: stepInWords(walk[index]!) + repeats,
      isTold: true,
    },
    { title: line === null ? 'Line' : `Line ${line}`, text: code, isCode: true },
    { title: 'Next step', text: nextStep(walk, index, shownFault(result)) },
  ];
}

const stepInWords = ({ thread, line, sentence }: WalkStep) =>
  thread === null ? sentence : `Thread ${thread}, line ${line}: ${sentence}.`;

/** After the last step of the schedule, describes where its cycle repeats, or the fault. */
function nextStep(walk: LabCheck['walk'], index: number, fault: LabFault | undefined): string {
  const next = walk[index + 1];
  if (next !== undefined) return stepInWords(next);
  const again = fault?.repeats_from_step;
  return again === undefined
    ? `None. ${fault?.sentence ?? ''}`
    : `Step ${again} again, forever. ${stepInWords(walk[again]!)}`;
}

// --- Places of threads ---

function placesOf(walk: LabCheck['walk'], { threads }: WalkStep): DrawnPlaces {
  const unseenMax = Math.max(...walk.flatMap((step) => step.threads.map(({ unseen }) => unseen.length)));
  return {
    groups: [{ title: 'Threads', places: threads.map(placeOf) }],
    inWords: threads.map((thread) => `${placeInWords(thread)}.`).join(' '),
    widthPx: PLACE_WIDTH_PX,
    heightPx: (3 + unseenMax) * LINE_PX + PADDING_PX,
    columns: Math.min(COLUMNS_MAX, threads.length),
    scaleMax: SCALE_MAX,
    roles: rolesIn(walk),
    marks: unseenMax > 0 ? ['unseen'] : [],
    transfer: null,
  };
}

const placeOf = (thread: WalkThread): DrawnPlace => ({
  number: thread.number,
  lines: [
    `thread ${thread.number}`,
    doesInWords(thread),
    thread.line === null ? '' : `line ${thread.line}`,
    ...thread.unseen.map(({ cell, value }) => shortened(`${cell} = ${valueInWords(value)}`)),
  ],
  role: roleOf(thread),
  mark: thread.unseen.length > 0 ? 'unseen' : null,
  words: placeInWords(thread),
});

function roleOf(thread: WalkThread): PlaceRole | null {
  if (thread.isAsleep) return 'sleeps';
  if (isInside(thread)) return 'holds';
  if (thread.waitsForItsStores) return 'stalls';
  if (thread.goesRound) return 'spins';
  if (thread.phase === 'entering') return 'enters';
  return thread.phase === 'exiting' ? 'exits' : null;
}

/** In the order of the legend. */
const allRoles: readonly PlaceRole[] = ['holds', 'spins', 'sleeps', 'stalls', 'enters', 'exits'];

function rolesIn(walk: LabCheck['walk']): PlaceRole[] {
  const seen = new Set(walk.flatMap(({ threads }) => threads.map(roleOf)));
  return allRoles.filter((role) => seen.has(role));
}

function doesInWords(thread: WalkThread): string {
  const role = roleOf(thread);
  if (role !== null) return roleInWords(role);
  return thread.hasEnded ? 'ended' : 'outside';
}

function placeInWords(thread: WalkThread): string {
  const { number, line, unseen } = thread;
  const where = line === null ? '' : `, line ${line}`;
  const stores = unseen.map(({ cell, value }) => `${cell} = ${valueInWords(value)}`).join(', ');
  const unseenWords = stores === '' ? '' : `, stores not yet visible: ${stores}`;
  return `Thread ${number} ${doesInWords(thread)}${where}${unseenWords}`;
}

const shortened = (text: string) =>
  text.length <= CHARACTERS_MAX ? text : `${text.slice(0, CHARACTERS_MAX - 1)}…`;

// --- Words and queues ---

function meaningOf(cell: string, { threads, queues }: WalkStep): DrawnWord['meaning'] {
  const stores = threads.flatMap(({ number, unseen }) =>
    unseen
      .filter((store) => store.cell === cell)
      .map(({ value }) => `thread ${number} stored ${valueInWords(value)}, not yet visible`),
  );
  const asleep = queues.find((queue) => queue.cell === cell)?.threads ?? [];
  const sleepers = asleep.map((number) => `thread ${number} sleeps here`);
  return [...stores, ...sleepers].join('; ');
}

/** Includes the queues of all steps, so that each has the same place throughout. */
function queuesOf(walk: LabCheck['walk'], { threads, queues }: WalkStep): DrawnLatch['queues'] {
  const sleptOn = new Set(walk.flatMap((step) => step.queues.map(({ cell }) => cell)));
  const hasBuffers = walk.some((step) => step.threads.some(({ unseen }) => unseen.length > 0));
  return [
    {
      title: 'Spinning',
      threads: threads.filter((thread) => roleOf(thread) === 'spins').map(({ number }) => named(number)),
    },
    ...[...sleptOn].map((cell) => ({
      title: `Asleep on ${cell}, in order`,
      threads: (queues.find((queue) => queue.cell === cell)?.threads ?? []).map((number) => named(number)),
    })),
    ...(hasBuffers ? [unseenStores(threads)] : []),
  ];
}

const unseenStores = (threads: readonly WalkThread[]) => ({
  title: 'Stores not yet visible, oldest first',
  threads: threads.flatMap(({ number, unseen }) =>
    unseen.map(({ cell, value }) => named(number, `${cell} = ${valueInWords(value)}`)),
  ),
});
