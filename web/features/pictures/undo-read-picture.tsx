// Draws the picture of bug #117533: a latch that moves from core to core during undo reads.
import { formatDurationNs, formatFigure, formatShare, formatWhole } from '../../analysis/format';
import { lineHops, undoCost, type LineHops, type UndoCost } from '../../analysis/pictures/line-hops';
import type { PhaseFigures } from '../../analysis/pictures/phase-figures';
import { busiestTrack } from '../../analysis/pictures/occupation';
import { barRow, type BarRow } from '../../charts/pictures/bar-rows';
import { hopsChart, type HopsView } from '../../charts/pictures/hops-chart';
import type { Manifest } from '../../contract/manifest';
import type { RunSpec } from '../../contract/run-spec';
import { valuesOfServer } from '../../contract/servers';
import type { Session } from '../../session/session';
import { clientsSlider, drawingOf, figuresOf, type DrawnPicture, type PictureOfBug } from './picture';

const UPDATE_AT_S = 0.02;
const BARS_SHOWN = 5;

export const undoReadPicture: PictureOfBug = {
  title: 'One cache line that all readers need',
  promise:
    'Run with the UPDATE to see the older versions of a row, the path of the latch’s cache line, and the cost of each latch.',
  draw: ({ session, phases, spec, manifest }) => {
    const groups = coreGroups(spec, manifest);
    return drawUndoRead({
      phases,
      clients: spec.threads,
      rows: spec.parameters.rows!,
      groups,
      hopsOf: (latch) => hopsOf(session, latch, groups, phases.at(-1)),
    });
  },
  slider: clientsSlider([1, 2, 4, 8, 16, 32, 64], ({ first_run }) => ({
    interval_s: 0.02,
    duration_s: 0.12,
    parameters: first_run?.virtual.parameters ?? {},
    actions: [{ at_s: UPDATE_AT_S, action: 'update_k' }],
  })),
};

/** Groups of cores that share a cache: complexes of a socket, or whole sockets. */
export interface CoreGroups {
  kind: 'complex' | 'socket';
  size: number;
  count: number;
}

/** The hops of the most expensive latch of an undo read. */
export interface HopsSeen {
  latch: string;
  hops: LineHops;
}

interface UndoReadSeen {
  phases: readonly PhaseFigures[];
  clients: number;
  /** Rows of the table. */
  rows: number;
  groups: CoreGroups;
  hopsOf: (latch: string) => LineHops | null;
}

/** Returns null while no undo record has been read. */
export function drawUndoRead({
  phases,
  clients,
  rows,
  groups,
  hopsOf: hopsAt,
}: UndoReadSeen): DrawnPicture | null {
  const costs = phases.flatMap((phase) => undoCost(phase, { clients, rows }) ?? []);
  const now = costs.at(-1);
  if (now === undefined) return null;
  const limit = now.latches.toSorted((a, b) => (b.costNs ?? 0) - (a.costNs ?? 0))[0]?.latch ?? null;
  const hops = limit === null ? null : hopsAt(limit);
  const seen = limit === null || hops === null ? null : { latch: limit, hops };
  const bars = barsOf(costs);
  return {
    words: inWords(now, seen, groups),
    figures: [
      { name: 'Older versions of each row', value: now.versionsPerRow.toFixed(2) },
      { name: 'Undo reads/s', value: formatWhole(now.undoReadsPerS) },
      ...(seen === null
        ? []
        : [
            { name: `${seen.latch}: line transfers`, value: formatWhole(seen.hops.count) },
            {
              name: `of these, to another ${groups.kind}`,
              value: formatShare(seen.hops.across / seen.hops.count),
            },
            { name: 'mean transfer time', value: formatDurationNs(seen.hops.tookNs) },
            { name: 'transfers per acquisition', value: seen.hops.perAcquisition?.toFixed(1) ?? 'unknown' },
          ]),
      ...figuresOf(bars),
    ],
    outcome: `${formatFigure(now.undoReadsPerS)} undo reads/s`,
    drawing: drawingOf(
      hopsChart,
      'hops',
      'Version chain, path of the cache line, cost of each latch',
      viewOf(now, seen, groups, bars),
    ),
  };
}

function viewOf(now: UndoCost, seen: HopsSeen | null, groups: CoreGroups, bars: BarRow[]): HopsView {
  const shown = seen?.hops.shown ?? [];
  const spanNs = shown.length === 0 ? 0 : shown.at(-1)!.atNs - shown[0]!.atNs;
  return {
    title: seen === null ? 'Path of the cache line' : `Cache line of ${seen.latch}`,
    nothing: 'Unknown: the latch was not traced.',
    groups: Array.from({ length: groups.count }, (_, i) => ({
      name: `${groups.kind} ${i}`,
      first: i * groups.size,
      size: groups.size,
    })),
    hops: shown,
    spanText: `${shown.length} transfers in ${formatDurationNs(spanNs)}`,
    chain: {
      versions: now.versionsPerRow,
      text: `Each row has ${versionsInWords(now)}`,
    },
    bars: { title: 'Client time per undo read, by latch', rows: bars, scale: 'linear' },
  };
}

/**
 * Returns the costs under the present design and, for each earlier design, its most expensive
 * latch.
 */
function barsOf(costs: readonly UndoCost[]): BarRow[] {
  const now = costs.at(-1)!;
  const before = costs.slice(0, -1).flatMap(({ latches }) => {
    const [worst] = latches.toSorted((a, b) => (b.costNs ?? 0) - (a.costNs ?? 0));
    return worst === undefined
      ? []
      : barRow('before', `Before: ${worst.latch}`, worst.costNs, formatDurationNs);
  });
  const present = now.latches.map(({ latch, costNs }) => barRow('now', latch, costNs, formatDurationNs));
  return [...present, ...before].slice(0, BARS_SHOWN);
}

function versionsInWords({ versionsPerRow }: UndoCost): string {
  const count = formatFigure(versionsPerRow);
  return `${count} older ${count === '1' ? 'version' : 'versions'}`;
}

function inWords(now: UndoCost, seen: HopsSeen | null, { kind }: CoreGroups): string {
  const rows = `Each row has ${versionsInWords(now)}; clients read ${formatWhole(now.undoReadsPerS)} undo records/s.`;
  if (seen === null)
    return `${rows} The path of the latch’s cache line is unknown: the latch was not traced.`;
  const { latch, hops } = seen;
  const far = `${formatShare(hops.across / hops.count)} of them to another ${kind}`;
  const often =
    hops.perAcquisition === null ? '' : `, ${hops.perAcquisition.toFixed(1)} times per acquisition`;
  return `${rows} The cache line of ${latch} moved between cores ${formatWhole(hops.count)} times while traced${often}: ${formatDurationNs(hops.tookNs)} each, ${far}.`;
}

function coreGroups({ server }: RunSpec, { virtual_server }: Manifest): CoreGroups {
  const own = typeof server === 'object' ? server : {};
  const id = typeof server === 'string' ? server : (server?.based_on ?? virtual_server);
  const values: Record<string, number | string> = { ...valuesOfServer(id), ...own };
  const inSocket = Number(values.cores_per_socket);
  const size = Math.min(inSocket, Number(values.cores_per_complex));
  const count = Math.ceil((Number(values.sockets) * inSocket) / size);
  return { kind: size < inSocket ? 'complex' : 'socket', size, count };
}

function hopsOf(
  session: Session,
  latch: string,
  { size }: CoreGroups,
  phase: PhaseFigures | undefined,
): LineHops | null {
  const names = session.lanesNow()?.names;
  const track = names === undefined ? null : busiestTrack(session.latchTrace.tracks, latch, names);
  if (track === null || phase === undefined) return null;
  // The recorded events of a run that ended at full speed may all belong to its last scans, which
  // end after its duration.
  const toTheEnd = { fromNs: phase.fromNs, untilNs: Number.POSITIVE_INFINITY };
  return lineHops(track.events, size, phase) ?? lineHops(track.events, size, toTheEnd);
}
