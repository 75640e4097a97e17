// Describes what a thread did at the shown moment, and which thread blocked it.
import { holdsAt, holdsWithin } from '../../analysis/latch-holders';
import { spanInWords, type HolderAtMoment, type Span } from '../../analysis/lane-words';
import type { LaneSpan } from '../../charts/lane-chart';
import { thread_states } from '../../contract/gen/telemetry-layout';
import type { LaneSegment } from '../../contract/lane-segment';
import type { LatchTrack } from '../../recording/latch-trace';
import { stateNames } from '../../widgets/state-names';
import type { MomentCursor } from './moment-cursor';

/** What a thread did, with its begin and end; `segment` is null for its present activity. */
interface Found {
  segment: LaneSegment | null;
  fromNs: number;
  toNs: number;
}

function found({ session, known }: MomentCursor, slot: number, tNs: number): Found {
  const segment = session.lanes.at(slot, tNs);
  if (segment !== null) return { segment, fromNs: segment.from_ns, toNs: segment.to_ns };
  const before = session.lanes.before(slot, known.nowNs);
  return { segment, fromNs: before?.to_ns ?? 0, toNs: known.nowNs };
}

/** Returns the latch that a thread waits for, if it is watched. */
const watchedOf = ({ known }: MomentCursor, segment: LaneSegment | null): LatchTrack | null =>
  segment === null || segment.site < 0
    ? null
    : (known.tracks.find((track) => track.latch === segment.latch && track.knownFromNs <= segment.from_ns) ??
      null);

export function laneSpan(reader: MomentCursor, slot: number, tNs: number): LaneSpan {
  const { segment, fromNs, toNs } = found(reader, slot, tNs);
  const track = watchedOf(reader, segment);
  const seenFirst = segment === null || segment.holder < 0 ? null : segment.holder;
  return {
    slot,
    fromNs,
    toNs,
    holder: track === null ? seenFirst : (holdsAt(track.holds, tNs)[0]?.slot ?? null),
    holds: track === null ? [] : holdsWithin(track.holds, fromNs, toNs),
  };
}

export function laneSpanInWords(reader: MomentCursor, slot: number, tNs: number): string {
  const { threads, names } = reader.known;
  const { segment, fromNs, toNs } = found(reader, slot, tNs);
  const thread = threads.find((one) => one.slot === slot);
  if (thread === undefined) return '';
  const span: Span = {
    fromNs,
    toNs,
    state: thread_states[segment?.state ?? thread.state] ?? 'absent',
    site: segment?.site ?? -1,
    holderSite: segment?.holder_site ?? -1,
    holder: segment === null || segment.holder < 0 ? null : reader.nameOf(segment.holder),
    atMoment: holderAtMoment(reader, watchedOf(reader, segment), tNs, { fromNs, toNs }),
  };
  return spanInWords(reader.nameOf(slot), span, stateNames, names);
}

function holderAtMoment(
  reader: MomentCursor,
  track: LatchTrack | null,
  tNs: number,
  { fromNs, toNs }: { fromNs: number; toNs: number },
): HolderAtMoment | undefined {
  if (track === null) return undefined;
  const [now] = holdsAt(track.holds, tNs);
  const meanwhile = new Set(holdsWithin(track.holds, fromNs, toNs).map(({ slot }) => slot));
  return {
    holder: now === undefined ? null : reader.nameOf(now.slot),
    holderSite: now?.site ?? -1,
    holders: meanwhile.size,
  };
}
