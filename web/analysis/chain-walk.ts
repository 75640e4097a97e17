// Turns the exact chain of one transaction into a walk: a sequence of parts coarse enough to step
// through one by one. Each part lists the activity of the threads that it waited for.
//
// One part covers a stretch of running and stalled time, or one wait for a latch, as in the
// engine's table "in their order". A wait for a commit group is split where its leader changes.
import { group, sum } from 'd3-array';

import type { Explanation, ExplainedPart } from '../contract/explanation';

type Behind = NonNullable<ExplainedPart['behind']>;
type StateName = ExplainedPart['state'];

/** The total of one kind of activity of a thread. */
export interface Activity {
  states: readonly { state: StateName; ps: number }[];
  latch: string | null;
  /** Function that wanted the latch, or in which the thread was; null while the thread runs. */
  place: string | null;
  ps: number;
  /** Number of occurrences; null if only fragments of the thread's time are known. */
  times: number | null;
  /** Longest first. */
  behind: readonly StoodBehind[];
}

/** The cause of a wait. */
export interface StoodBehind {
  by: Behind;
  /** The first holder. */
  thread: string | null;
  threads: number;
  /** Function in which the holders took the latch; null if unknown, or if there are several. */
  gotIn: string | null;
  ps: number;
  /** The holders' activities during the wait, longest first. */
  did: readonly Activity[];
}

/** One part of the walk. `from_ps` counts from the start of the transaction. */
export interface WalkPart extends Activity {
  fromPs: number;
}

export function chainWalk({ transaction }: Pick<Explanation, 'transaction'>): WalkPart[] {
  return episodesOf(transaction.parts, walkKey).map((parts) => ({
    fromPs: parts[0]!.from_ps,
    ...activityOf([parts], true),
  }));
}

const activityKey = ({ state, latch, latch_number, site, function: place }: ExplainedPart): string => {
  if (latch !== undefined) return `latch ${latch_number} ${site}`;
  return isAtWork(state) ? 'at work' : `${state} ${place}`;
};

/**
 * Waits for one leader form a part. The time between them, such as the wait for the condition's
 * mutex, is another part.
 */
const walkKey = (part: ExplainedPart): string => {
  const leader = part.behind === 'leader' ? part.holder?.slot : undefined;
  return part.latch === undefined ? activityKey(part) : `${activityKey(part)} ${leader}`;
};

const isAtWork = (state: StateName) => state === 'running' || state === 'stalled';

/** Groups adjacent parts with the same key, in order. */
function episodesOf(parts: readonly ExplainedPart[], keyOf: (part: ExplainedPart) => string) {
  const episodes: { key: string; parts: ExplainedPart[] }[] = [];
  for (const part of parts) {
    const key = keyOf(part);
    const last = episodes.at(-1);
    const goesOn = last?.key === key && endOf(last.parts.at(-1)!) === part.from_ps;
    if (goesOn) last.parts.push(part);
    else episodes.push({ key, parts: [part] });
  }
  return episodes.map(({ parts: ofOne }) => ofOne);
}

const endOf = ({ from_ps, ps }: ExplainedPart) => from_ps + ps;

/** Returns all activities of a thread, longest first. */
function activitiesOf(parts: readonly ExplainedPart[], isInOnePiece: boolean): Activity[] {
  const episodes = group(episodesOf(parts, activityKey), ([first]) => activityKey(first!));
  return [...episodes.values()].map((ofOne) => activityOf(ofOne, isInOnePiece)).sort((a, b) => b.ps - a.ps);
}

function activityOf(episodes: readonly (readonly ExplainedPart[])[], isInOnePiece: boolean): Activity {
  const parts = episodes.flat();
  const [first] = parts;
  const place = first!.site ?? first!.function ?? null;
  return {
    states: [...group(parts, ({ state }) => state)]
      .map(([state, ofState]) => ({ state, ps: timeOf(ofState) }))
      .sort((a, b) => b.ps - a.ps),
    latch: first!.latch ?? null,
    place: isAtWork(first!.state) ? null : place,
    ps: timeOf(parts),
    times: isInOnePiece ? episodes.length : null,
    behind: stoodBehind(parts),
  };
}

function stoodBehind(parts: readonly ExplainedPart[]): StoodBehind[] {
  const kinds = group(
    parts.filter(({ behind }) => behind !== undefined),
    ({ behind }) => behind!,
  );
  return [...kinds]
    .map(([by, ofKind]) => {
      const holders = ofKind.flatMap(({ holder }) => holder ?? []);
      const sites = new Set(holders.map(({ site }) => site));
      return {
        by,
        thread: holders[0]?.thread ?? null,
        threads: new Set(holders.map(({ slot }) => slot)).size,
        gotIn: sites.size === 1 ? (holders[0]!.site ?? null) : null,
        ps: timeOf(ofKind),
        did: activitiesOf(
          ofKind.flatMap(({ chain = [] }) => chain),
          ofKind.length === 1,
        ),
      };
    })
    .sort((a, b) => b.ps - a.ps);
}

const timeOf = (parts: readonly ExplainedPart[]) => sum(parts, ({ ps }) => ps);
