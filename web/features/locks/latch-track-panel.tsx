import { useEffect, useRef, useState } from 'react';
import { useErrorBoundary } from 'react-error-boundary';

import { counted, formatDurationNs } from '../../analysis/format';
import { depthAt, holdsAt } from '../../analysis/latch-moment';
import { functionName } from '../../analysis/lane-words';
import { LatchTrackChart } from '../../charts/latch-track-chart';
import { ownerColor } from '../../charts/latch-track';
import type { Hold, LatchTrack } from '../../recording/latch-trace';
import { drawOnChanges } from '../../widgets/draw-on-changes';
import { Panel } from '../../widgets/panel';
import { TimeGestures } from '../../widgets/time-gestures';
import { useExplorer } from '../../widgets/session-context';
import type { MomentCursor } from './moment-cursor';
import {
  momentInWords,
  NO_LATCH_ACTIVITY,
  RUN_TO_TRACE,
  useMomentOf,
  useMomentCursor,
} from './use-moment-cursor';

const ROW_REM = 3.9;
/** Margins of the chart's frame. */
const MARGIN_TOP_REM = 0.7;
const MARGINS_REM = 1;

/**
 * Draws the holders of the most expensive latches, hold by hold, and the number of waiters, on the
 * time axis of the lanes.
 */
export function LatchTrackPanel() {
  const reader = useMomentCursor();
  useMomentOf(reader);
  const hasRun = useExplorer(({ spec }) => spec !== null);
  const { tracks, look, known } = reader;
  const atNs = look?.tNs ?? known.nowNs;
  const rowsKept = useLastRows(tracks.length);
  return (
    <Panel
      title="Latch track"
      remark={tracks.length === 0 ? 'holders over time' : momentInWords(reader)}
      note={<TrackLegend />}
      className="chart-panel latch-track"
    >
      {tracks.length === 0 ? (
        <p className="muted latch-track-empty" style={{ minHeight: heightOf(rowsKept) }}>
          {hasRun ? NO_LATCH_ACTIVITY : RUN_TO_TRACE}
        </p>
      ) : (
        <div className="latch-track-rows" style={{ height: heightOf(tracks.length) }}>
          <TrackCanvas reader={reader} />
          {tracks.map((track, row) => (
            <TrackHeading key={track.latch} reader={reader} track={track} atNs={atNs} row={row} />
          ))}
        </div>
      )}
    </Panel>
  );
}

const heightOf = (rows: number) => (rows === 0 ? undefined : `${rows * ROW_REM + MARGINS_REM}rem`);

/**
 * Returns the last nonzero number of rows. A run that goes back or begins has none at first, but
 * the space for them remains.
 */
function useLastRows(rows: number): number {
  const [last, setLast] = useState(rows);
  if (rows > 0 && rows !== last) setLast(rows);
  return last;
}

function TrackLegend() {
  return (
    <span className="legend">
      <span className="legend-entry">
        <span className="swatch" style={{ background: 'var(--queue)' }} />
        waiters
      </span>
      <span className="legend-entry">
        <span className="swatch" style={{ background: 'var(--owner-5)' }} />
        held exclusively
      </span>
      <span className="legend-entry">
        <span className="swatch texture-hatched" style={{ backgroundColor: 'var(--owner-5)' }} />
        shared
      </span>
    </span>
  );
}

interface TrackHeadingProps {
  reader: MomentCursor;
  track: LatchTrack;
  atNs: number;
  row: number;
}

/** Shows the latch and its holders at the shown moment. Pressing it selects the latch. */
function TrackHeading({ reader, track, atNs, row }: TrackHeadingProps) {
  const held = holdsAt(track.holds, atNs);
  const depth = depthAt(track.queue, atNs);
  return (
    <button
      type="button"
      className="latch-track-heading"
      style={{ top: `${MARGIN_TOP_REM + row * ROW_REM}rem` }}
      aria-pressed={reader.chosen?.latch === track.latch}
      onClick={() => reader.choose(track.latch)}
    >
      <span>
        <strong>{reader.latchName(track)}</strong>: {heldByInWords(reader, held)}
      </span>
      {held.slice(0, 1).map(({ slot }) => (
        <span key={slot} className="owner-swatch" style={{ background: `var(${ownerColor(slot)})` }} />
      ))}{' '}
      <span className="muted">{depthInWords(depth)}</span>
    </button>
  );
}

const depthInWords = (depth: number) => (depth === 0 ? 'no waiters' : counted(depth, 'waiter'));

const NAMED_MAX = 3;

/** Returns words such as "held by client 12"; of many readers, their number. */
function heldByInWords(reader: MomentCursor, held: readonly Hold[]): string {
  if (held.length === 0) return 'free';
  const named = held.slice(0, NAMED_MAX).map(({ slot }) => reader.nameOf(slot));
  const more = held.length > NAMED_MAX ? ` and ${held.length - NAMED_MAX} more` : '';
  const mode = held[0]!.mode === null ? '' : ` ${held[0]!.mode}`;
  return `held${mode} by ${named.join(', ')}${more}`;
}

function TrackCanvas({ reader }: { reader: MomentCursor }) {
  const host = useRef<HTMLDivElement>(null);
  const { showBoundary } = useErrorBoundary();
  useEffect(() => {
    const chart = new LatchTrackChart(host.current!);
    const gestures = new TimeGestures(host.current!, {
      timeAt: (xPx) => chart.timeAt(xPx),
      zoom: reader.zoom,
      pan: reader.pan,
      point: (place) => {
        const at = place && chart.rowAt(place.xPx, place.yPx);
        reader.pointAt(at && { tNs: at.tNs, slot: null });
      },
      press: ({ xPx, yPx }) => {
        const at = chart.rowAt(xPx, yPx);
        const track = at === null ? undefined : reader.tracks[at.row];
        if (at !== null && track !== undefined) pressHold(reader, track, at.tNs);
      },
    });
    const end = drawOnChanges(reader.session, chart, {
      draw: () => {
        const { tracks, range, known, look } = reader;
        chart.draw({
          rows: tracks.map((picture) => ({ picture })),
          range,
          nowNs: known.nowNs,
          ownerLabel: (slot) => reader.nameOf(slot).replace(/^client /, ''),
        });
        chart.drawCursor(look?.tNs ?? null);
      },
      subscribe: (onData) =>
        reader.subscribe(() => {
          chart.drawCursor(reader.look?.tNs ?? null);
          onData();
        }),
      onFault: showBoundary,
    });
    return () => {
      end();
      gestures.destroy();
    };
  }, [reader, showBoundary]);
  return <div ref={host} className="chart latch-track-chart" aria-hidden="true" />;
}

/** Shows the hold there, its latch and its thread, and selects it for the inspector. */
function pressHold(reader: MomentCursor, track: LatchTrack, tNs: number): void {
  reader.choose(track.latch);
  const [held] = holdsAt(track.holds, tNs);
  if (!reader.togglePin(tNs, held?.slot ?? null) || held === undefined) return;
  const words = holdInWords(reader, track, held);
  reader.select(held.slot, tNs, { words, site: track.site, fromNs: held.fromNs });
}

function holdInWords(
  reader: MomentCursor,
  track: LatchTrack,
  { slot, site, fromNs, toNs, mode }: Hold,
): string {
  const lasted = toNs === null ? 'and has not released it yet' : `for ${formatDurationNs(toNs - fromNs)}`;
  const where = site < 0 ? '' : `, acquired in ${functionName(site, reader.names)}`;
  const how = mode === null ? '' : ` in mode ${mode}`;
  return `${reader.nameOf(slot)} holds ${reader.latchName(track)}${how} ${lasted}${where}`;
}
