// Draws the picture of bug #95491: wake-up calls of asynchronous reads.
import { formatFigure, formatWhole } from '../../analysis/format';
import { aioBells, type AioBells } from '../../analysis/pictures/aio-bells';
import type { PhaseFigures } from '../../analysis/pictures/phase-figures';
import { barRow, type BarRow } from '../../charts/pictures/bar-rows';
import { bellsChart, type BellsView } from '../../charts/pictures/bells-chart';
import { thread_states } from '../../contract/gen/telemetry-layout';
import type { Manifest } from '../../contract/manifest';
import { designTitle } from '../../session/designs';
import type { Session } from '../../session/session';
import { clientsSlider, drawingOf, figuresOf, type DrawnPicture, type PictureOfBug } from './picture';

const HANDLER = 'io_handler_thread';
const BARS_SHOWN = 4;

export const aioPicture: PictureOfBug = {
  title: 'Waking every handler to reach one',
  promise: 'Run to see the slots, their handlers, and who wakes for one read and for one slot.',
  draw: ({ session, phases, spec, manifest }) => {
    const slots = spec.parameters.read_io_threads! * spec.parameters.slots_per_segment!;
    const handlers = handlersAt(session, phases.at(-1)?.untilNs ?? 0);
    return drawAio({ phases, slots, handlers, manifest });
  },
  slider: clientsSlider([8, 16, 32, 64, 128, 256], () => ({ interval_s: 0.005, duration_s: 0.06 })),
};

type Handlers = BellsView['handlers']['names'];

interface AioSeen {
  phases: readonly PhaseFigures[];
  /** Slots of the array of asynchronous reads. */
  slots: number;
  /** Empty if unknown. */
  handlers: Handlers;
  manifest: Manifest;
}

/** Returns null while no asynchronous read has completed. */
export function drawAio({ phases, slots, handlers, manifest }: AioSeen): DrawnPicture | null {
  const parts = phases.flatMap((phase) => aioBells(phase) ?? []);
  const last = parts.at(-1);
  if (last === undefined) return null;
  const now = { ...last, inArray: Math.min(slots, last.inArray) };
  const bars = parts
    .slice(-BARS_SHOWN)
    .map(({ design, bellsPerRead }, i, { length }) =>
      i === length - 1
        ? barRow('now', `Now: ${designTitle(manifest, design)}`, bellsPerRead, formatFigure)
        : barRow('before', `Before: ${designTitle(manifest, design)}`, bellsPerRead, formatFigure),
    )
    .reverse();
  return {
    words: inWords(now, slots),
    figures: [
      { name: 'Requests in the array', value: `${formatWhole(now.inArray)} of ${formatWhole(slots)}` },
      { name: 'Wake-up calls per completed read', value: formatFigure(now.bellsPerRead) },
      { name: 'Handler wake-ups per read', value: formatFigure(now.wakeupsPerRead) },
      { name: 'of these, with no work', value: formatFigure(now.emptyPerRead) },
      { name: 'Client wake-ups per slot', value: wokenText(now) },
      { name: 'Asynchronous reads/s', value: formatWhole(now.readsPerS) },
      ...figuresOf(bars, (name) => `${name}, wake-up calls per read`),
    ],
    outcome: `${formatFigure(now.bellsPerRead)} wake-up calls per read`,
    drawing: drawingOf(
      bellsChart,
      'bells',
      'Slots, handlers and wake-ups',
      viewOf(now, slots, handlers, bars),
    ),
  };
}

const wokenText = ({ wokenPerSlot }: AioBells) =>
  wokenPerSlot === null ? 'no client slept' : formatFigure(wokenPerSlot);

function viewOf(now: AioBells, slots: number, handlers: Handlers, bars: BarRow[]): BellsView {
  return {
    array: {
      title: `Slots: ${formatWhole(now.inArray)} of ${formatWhole(slots)} in use`,
      taken: now.inArray,
      slots,
    },
    handlers: {
      title:
        handlers.length === 0
          ? 'Handlers: state unknown'
          : `Handlers: ${handlers.filter(({ state }) => state === 'busy').length} of ${handlers.length} busy`,
      names: handlers,
    },
    bells: {
      title: `${formatFigure(now.bellsPerRead)} wake-up calls for one read; 1 is needed`,
      count: now.bellsPerRead,
    },
    woken:
      now.wokenPerSlot === null
        ? null
        : {
            title: `${formatFigure(now.wokenPerSlot)} clients wake for one slot; 1 gets it`,
            count: now.wokenPerSlot,
          },
    bars: { title: 'Wake-up calls per completed read', rows: bars, scale: 'log' },
  };
}

/**
 * Returns the state of each thread that serves the arrays at the end of the part, named by its
 * number.
 */
function handlersAt(session: Session, atNs: number): Handlers {
  const now = session.lanesNow();
  if (now === null) return [];
  const { threads, names, nowNs } = now;
  const handlers = threads.filter(
    ({ isClient, beganWith }) => !isClient && names.functions[beganWith ?? -1] === HANDLER,
  );
  const states = handlers.map(({ slot, state }) =>
    atNs >= nowNs ? state : session.lanes.at(slot, atNs)?.state,
  );
  return states.flatMap((state, i) =>
    state === undefined ? [] : { name: String(i + 1), state: standingOf(thread_states[state]!) },
  );
}

function standingOf(state: (typeof thread_states)[number]) {
  if (state === 'waiting' || state === 'spinning') return 'wants';
  return state === 'sleeping' || state === 'parked' || state === 'absent' ? 'idle' : 'busy';
}

function inWords(now: AioBells, slots: number): string {
  const array = `${formatWhole(now.inArray)} of ${formatWhole(slots)} slots hold a request.`;
  const bells = `Per completed read, threads lock and search a segment ${formatFigure(now.bellsPerRead)} times to wake its handler; once is enough. Handlers woke ${formatFigure(now.wakeupsPerRead)} times, ${formatFigure(now.emptyPerRead)} of them with no work.`;
  if (now.wokenPerSlot === null) return `${array} ${bells} No client slept for a slot.`;
  return `${array} ${bells} For each slot a client got, ${formatFigure(now.wokenPerSlot)} clients woke.`;
}
