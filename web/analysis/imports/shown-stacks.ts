// Prepares imported stacks for the page: for a flame graph, and by the place where threads are
// blocked. Both have limits, so that no text makes the page slow.
import type { CatalogueEntry } from '../../contract/scenario-files/latch-catalogue';
import type { FlameStack, FoldedStack } from '../../contract/live-view';
import { UNKNOWN_FRAME } from './frame-name';
import type { NamedText } from './imported-waits';
import type { LatchTime } from './reader';
import { stackWaits, type BlockedOn, type BlockedSite, type StackWaits } from './stack-waits';

/** Stacks for drawing; null where the texts have none. */
export interface ShownStacks {
  threads: ThreadStacks | null;
  times: TimeStacks | null;
}

export interface ThreadStacks {
  /** What a count counts: a debugger counts threads. */
  unit: 'threads' | 'samples';
  blocked: number;
  idle: number;
  running: number;
  /** State `waiting` is blocked, `sleeping` idle. */
  flame: FlameStacks;
  /** The most frequent first. */
  sites: readonly ShownSite[];
  /** Number of sites beyond these. */
  moreSites: number;
}

/** Times by caller. `samples` of these stacks are nanoseconds. */
export interface TimeStacks {
  wait: FlameStacks;
  hold: FlameStacks;
}

export interface FlameStacks {
  stacks: readonly FlameStack[];
  /** Share of all threads, samples or time that these stacks have. */
  share: number;
}

export interface ShownSite {
  site: string;
  on: BlockedOn;
  count: number;
  /** Share of the blocked threads. */
  share: number;
  /** Its entry in the catalogue of latches; null: it has none. */
  entry: Pick<CatalogueEntry, 'id' | 'name' | 'guards'> | null;
  /** Functions inside of the site have no names in the text. */
  isStripped: boolean;
  /** The most frequent first. */
  stacks: readonly FoldedStack[];
  /** Number of stacks beyond these. */
  moreStacks: number;
}

const SITES_MAX = 12;
const STACKS_OF_SITE_MAX = 4;
const FLAME_STACKS_MAX = 5000;
/** Frames of a deep stack that are drawn at each of its ends. */
const FRAMES_AT_END_MAX = 100;
/** Of the names in all drawn stacks. */
const FLAME_CHARACTERS_MAX = 2_000_000;
/** Readers of these forms count threads; those of other forms, samples. */
const FORMS_OF_THREADS: ReadonlySet<string> = new Set(['thread_stacks', 'pt_pmp']);

type FindEntry = (name: string) => CatalogueEntry | null;

/** Returns what the texts have of stacks. */
export function shownStacks(texts: readonly NamedText[], findEntry: FindEntry): ShownStacks {
  const withStacks = texts.filter(({ contents }) => contents.some(({ kind }) => kind === 'stacks'));
  const stacks = texts.flatMap(({ contents }) =>
    contents.flatMap((one) => (one.kind === 'stacks' ? one.stacks : [])),
  );
  const times = texts.flatMap(({ contents }) =>
    contents.flatMap((one) => (one.kind === 'times' ? one.rows : [])),
  );
  const unit = withStacks.every(({ form }) => FORMS_OF_THREADS.has(form.id)) ? 'threads' : 'samples';
  return {
    threads: stacks.length === 0 ? null : threadStacks(stackWaits(stacks), unit, findEntry),
    times: times.length === 0 ? null : { wait: timeStacks(times, 'wait'), hold: timeStacks(times, 'hold') },
  };
}

function threadStacks(waits: StackWaits, unit: ThreadStacks['unit'], findEntry: FindEntry): ThreadStacks {
  const inState = (
    sites: readonly { stacks: readonly FoldedStack[] }[],
    state: 'waiting' | 'sleeping' | 'running',
  ) => sites.flatMap(({ stacks }) => stacks.map((stack) => drawn(stack.frames, stack.count, state)));
  const { blocked, idle, running, blockedCount, idleCount, runningCount } = waits;
  return {
    unit,
    blocked: blockedCount,
    idle: idleCount,
    running: runningCount,
    flame: most([
      ...inState(blocked, 'waiting'),
      ...inState(idle, 'sleeping'),
      ...inState(running, 'running'),
    ]),
    sites: blocked.slice(0, SITES_MAX).map((site) => shownSite(site, findEntry)),
    moreSites: Math.max(0, blocked.length - SITES_MAX),
  };
}

function shownSite({ site, on, count, share, stacks }: BlockedSite, findEntry: FindEntry): ShownSite {
  const entry = findEntry(site);
  const sorted = stacks.toSorted((a, b) => b.count - a.count);
  return {
    ...{ site, on, count, share },
    entry: entry === null ? null : { id: entry.id, name: entry.name, guards: entry.guards },
    isStripped: site === UNKNOWN_FRAME || stacks.some(({ frames }) => isStripped(frames, site)),
    stacks: sorted
      .slice(0, STACKS_OF_SITE_MAX)
      .map((stack) => ({ count: stack.count, frames: withoutMiddle(stack.frames) })),
    moreStacks: Math.max(0, stacks.length - STACKS_OF_SITE_MAX),
  };
}

const isStripped = (frames: readonly string[], site: string) =>
  frames.slice(0, frames.indexOf(site)).includes(UNKNOWN_FRAME);

const timeStacks = (times: readonly LatchTime[], what: LatchTime['what']) =>
  most(
    times.flatMap((row) =>
      row.what === what ? [drawn(row.frames, row.totalNs, what === 'wait' ? 'waiting' : 'running')] : [],
    ),
  );

const drawn = (
  frames: readonly string[],
  samples: number,
  state: 'waiting' | 'sleeping' | 'running',
): FlameStack => ({
  frames: withoutMiddle(frames).reverse(),
  is_client: null,
  samples,
  states: { [state]: samples },
  doing: null,
});

/** Keeps both ends of a stack that is too deep to draw. */
function withoutMiddle(frames: readonly string[]): string[] {
  const leftOut = frames.length - 2 * FRAMES_AT_END_MAX;
  if (leftOut <= 1) return [...frames];
  return [...frames.slice(0, FRAMES_AT_END_MAX), `(${leftOut} frames)`, ...frames.slice(-FRAMES_AT_END_MAX)];
}

/** Selects the stacks with the largest counts, as many as can be drawn. */
function most(stacks: readonly FlameStack[]): FlameStacks {
  const selected: FlameStack[] = [];
  let characters = 0;
  for (const stack of stacks.toSorted((a, b) => b.samples - a.samples).slice(0, FLAME_STACKS_MAX)) {
    characters += stack.frames.reduce((sum, { length }) => sum + length, 0);
    if (characters > FLAME_CHARACTERS_MAX) break;
    selected.push(stack);
  }
  const total = sumOf(stacks);
  return { stacks: selected, share: total === 0 ? 1 : sumOf(selected) / total };
}

const sumOf = (stacks: readonly FlameStack[]) => stacks.reduce((sum, { samples }) => sum + samples, 0);
