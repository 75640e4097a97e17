// Draws the picture of bug #69276: the latches that one block read stops at.
import {
  blockReadStops,
  GLOBAL_MUTEX,
  type BlockReadStops,
  type Stop,
} from '../../analysis/pictures/block-read-stops';
import { busiestTrack, occupationOf, type Occupation } from '../../analysis/pictures/occupation';
import {
  counted,
  formatDurationNs,
  formatFigure,
  formatPerOperation,
  formatWhole,
} from '../../analysis/format';
import type { PhaseFigures } from '../../analysis/pictures/phase-figures';
import type { Manifest } from '../../contract/manifest';
import { barRow } from '../../charts/pictures/bar-rows';
import { stopsChart, type StopsView } from '../../charts/pictures/stops-chart';
import type { Session } from '../../session/session';
import { clientsSlider, drawingOf, variantTitle, type DrawnPicture, type PictureOfBug } from './picture';

const KNOB = 'tablespace_lookup';

export const blockReadPicture: PictureOfBug = {
  title: 'One block read, many waits for one mutex',
  promise:
    'Run to see each tablespace mutex acquisition of a block read, its queue, and the limit the mutex sets.',
  draw: ({ session, phases, manifest }) =>
    drawBlockRead(phases, occupationIn(session, phases.at(-1)), manifest),
  slider: clientsSlider([1, 2, 4, 8, 16, 32, 54, 64], ({ first_run }) => ({
    interval_s: 0.005,
    duration_s: 0.03,
    parameters: first_run?.virtual.parameters ?? {},
  })),
};

/** Returns null while no block has been read. */
export function drawBlockRead(
  phases: readonly PhaseFigures[],
  occupation: Occupation | null,
  manifest: Manifest,
): DrawnPicture | null {
  const phase = phases.at(-1);
  const seen = phase === undefined ? null : blockReadStops(phase, occupation);
  if (phase === undefined || seen === null) return null;
  const titleOf = ({ design }: PhaseFigures) => variantTitle(manifest, KNOB, design);
  const earlier = phases.slice(0, -1).flatMap((before) => {
    const stops = blockReadStops(before, null);
    return stops === null ? [] : { title: titleOf(before), readsPerS: stops.readsPerS };
  });
  return {
    words: inWords(seen),
    figures: [
      ...seen.stops.map((stop) => ({ name: stop.function, value: `${perRead(stop)}, ${queueText(stop)}` })),
      { name: 'Acquisitions per block read', value: formatPerOperation(seen.stopsPerRead) },
      { name: 'Hold time', value: formatDurationNs(seen.turn?.heldNs) },
      { name: 'Hand-off time', value: formatDurationNs(seen.turn?.handOverNs) },
      { name: 'Limit, block reads/s', value: formatWhole(seen.ceilingPerS) },
      { name: 'Measured, block reads/s', value: formatWhole(seen.readsPerS) },
      ...earlier.map(({ title, readsPerS }) => ({
        name: `${title}, block reads/s`,
        value: formatWhole(readsPerS),
      })),
    ],
    outcome: `${formatFigure(seen.readsPerS)} block reads/s`,
    drawing: drawingOf(
      stopsChart,
      'stops',
      'Acquisitions of one block read and the limit of the mutex',
      viewOf(seen, titleOf(phase), earlier),
    ),
  };
}

/** Returns the use of the mutex for all tablespaces, as far as its events are recorded. */
function occupationIn(session: Session, phase: PhaseFigures | undefined) {
  const names = session.lanesNow()?.names;
  if (names === undefined || phase === undefined) return null;
  const track = busiestTrack(session.latchTrace.tracks, GLOBAL_MUTEX, names);
  return track && occupationOf(track, phase);
}

const perRead = ({ perRead }: Stop) => `${formatPerOperation(perRead)} per read`;

const queueText = ({ queue }: Stop) => (queue === null ? 'queue unknown' : `queue ${queue.toFixed(1)}`);

function viewOf(
  { stops, stopsPerRead, readsPerS, ceilingPerS, acquisitionsPerRead, turn }: BlockReadStops,
  title: string,
  earlier: readonly { title: string; readsPerS: number }[],
): StopsView {
  const bars = [
    barRow('now', `Measured: ${title}`, readsPerS, formatWhole),
    ...earlier.map((before) => barRow('before', `Before: ${before.title}`, before.readsPerS, formatWhole)),
  ];
  if (acquisitionsPerRead !== null) {
    const limit =
      turn === null
        ? 'Limit of the mutex'
        : `Limit: 1 s ÷ (${formatPerOperation(acquisitionsPerRead)} × ${formatDurationNs(turn.heldNs + turn.handOverNs)})`;
    bars.unshift(barRow('limit', limit, ceilingPerS, formatWhole));
  }
  return {
    title: `One block read: ${formatPerOperation(stopsPerRead)} acquisitions`,
    nothing: 'It acquires no tablespace mutex.',
    stops: stops.map((stop) => ({
      function: stop.function,
      latch: stop.latch,
      perRead: perRead(stop),
      queue: stop.queue,
      queueText: queueText(stop),
    })),
    bars: { title: 'Block reads per second', rows: bars, scale: 'linear' },
  };
}

function inWords({ stops, stopsPerRead, turn, ceilingPerS, readsPerS }: BlockReadStops): string {
  if (stops.length === 0)
    return `A block read acquires no tablespace mutex. Clients read ${formatWhole(readsPerS)} blocks/s.`;
  const latches = new Set(stops.map(({ latch }) => latch));
  const at = `A block read acquires ${[...latches].join(' and ')} ${formatPerOperation(stopsPerRead)} times, in ${counted(stops.length, 'function')}.`;
  if (!latches.has(GLOBAL_MUTEX)) {
    return `${at} Each shard has its own mutex, so there is no single limit. Clients read ${formatWhole(readsPerS)} blocks/s.`;
  }
  if (turn === null || ceilingPerS === null) {
    return `${at} The hold time is unknown: the mutex was not traced. Clients read ${formatWhole(readsPerS)} blocks/s.`;
  }
  return (
    `${at} Each time it is held for ${formatDurationNs(turn.heldNs)}, and the hand-off takes ${formatDurationNs(turn.handOverNs)}. ` +
    `The limit is therefore ${formatWhole(ceilingPerS)} blocks/s; measured: ${formatWhole(readsPerS)}.`
  );
}
