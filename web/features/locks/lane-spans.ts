// Describes what a thread did at the shown moment, and which thread blocked it.
import { holdsAt, holdsWithin } from '../../analysis/latch-holders';
import { spanInWords, type HolderAtMoment, type Span } from '../../analysis/lane-words';
import type { LaneSpan } from '../../charts/lane-chart';
import { thread_states } from '../../contract/gen/telemetry-layout';
import type { LaneSegment } from '../../contract/lane-segment';
import type { LatchTrack } from '../../recording/latch-trace';
import { stateNames } from '../../widgets/state-names';
import type { MomentReader } from './moment-reader';

/** What a thread did, with its begin and end; `segment` is null for its present activity. */
interface Found {
  segment: LaneSegment | null;
  from_ns: number;
  to_ns: number;
}

function found({ session, known }: MomentReader, slot: number, t_ns: number): Found {
  const segment = session.lanes.at(slot, t_ns);
  if (segment !== null) return { segment, from_ns: segment.from_ns, to_ns: segment.to_ns };
  const before = session.lanes.before(slot, known.nowNs);
  return { segment, from_ns: before?.to_ns ?? 0, to_ns: known.nowNs };
}

/** Returns the latch that a thread waits for, if it is watched. */
const watchedOf = ({ known }: MomentReader, segment: LaneSegment | null): LatchTrack | null =>
  segment === null || segment.site < 0
    ? null
    : (known.tracks.find((track) => track.latch === segment.latch && track.knownFromNs <= segment.from_ns) ??
      null);

export function laneSpan(reader: MomentReader, slot: number, t_ns: number): LaneSpan {
  const { segment, from_ns, to_ns } = found(reader, slot, t_ns);
  const track = watchedOf(reader, segment);
  const seen_first = segment === null || segment.holder < 0 ? null : segment.holder;
  return {
    slot,
    fromNs: from_ns,
    toNs: to_ns,
    holder: track === null ? seen_first : (holdsAt(track.holds, t_ns)[0]?.slot ?? null),
    holds: track === null ? [] : holdsWithin(track.holds, from_ns, to_ns),
  };
}

export function laneSpanInWords(reader: MomentReader, slot: number, t_ns: number): string {
  const { threads, names } = reader.known;
  const { segment, from_ns, to_ns } = found(reader, slot, t_ns);
  const thread = threads.find((one) => one.slot === slot);
  if (thread === undefined) return '';
  const span: Span = {
    fromNs: from_ns,
    toNs: to_ns,
    state: thread_states[segment?.state ?? thread.state] ?? 'absent',
    site: segment?.site ?? -1,
    holderSite: segment?.holder_site ?? -1,
    holder: segment === null || segment.holder < 0 ? null : reader.nameOf(segment.holder),
    atMoment: holderAtMoment(reader, watchedOf(reader, segment), t_ns, { from_ns, to_ns }),
  };
  return spanInWords(reader.nameOf(slot), span, stateNames, names);
}

function holderAtMoment(
  reader: MomentReader,
  track: LatchTrack | null,
  t_ns: number,
  { from_ns, to_ns }: { from_ns: number; to_ns: number },
): HolderAtMoment | undefined {
  if (track === null) return undefined;
  const [now] = holdsAt(track.holds, t_ns);
  const meanwhile = new Set(holdsWithin(track.holds, from_ns, to_ns).map(({ slot }) => slot));
  return {
    holder: now === undefined ? null : reader.nameOf(now.slot),
    holderSite: now?.site ?? -1,
    holders: meanwhile.size,
  };
}
