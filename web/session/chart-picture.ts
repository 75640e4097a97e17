import type { FrozenPicture } from '../charts/chart-viewport';
import { wholeRange, zoomTo } from '../charts/chart-viewport';
import { rateScaleFor, type RateScale } from '../charts/domains';
import type { HistoryRows } from '../recording/history';
import type { RunMark } from '../recording/run-marks';
import type { PreviousRun } from './previous-run';
import type { Session } from './session';
import type { ExplorerState } from './store';
import { chartRange, timeScaleOf, type TimeRange } from '../recording/time-scale';

/**
 * The charts' current data: of the current run, or of the moment at which the reader froze them.
 */
export interface ChartPicture {
  history: HistoryRows;
  marks: readonly RunMark[];
  range: TimeRange;
  /** The range without zoom. */
  rangeByItself: TimeRange;
  isVirtual: boolean;
  /** The range does not move with the run. */
  isStill: boolean;
  previousRun: PreviousRun | null;
  rateScale: RateScale;
}

export function chartPicture({ history, store }: Session): ChartPicture {
  const state = store.getState();
  const { frozen, zoom, isPreviousRunShown, rateScale } = state.chart;
  const shown = frozen ?? { history, marks: state.marks, range: rangeByItself(state, history) };
  return {
    history: shown.history,
    marks: shown.marks,
    range: zoom ?? shown.range,
    rangeByItself: shown.range,
    isVirtual: timeScaleShown(state).isVirtual,
    isStill: zoom !== null,
    previousRun: isPreviousRunShown ? state.previousRun : null,
    rateScale: rateScale ?? rateScaleByItself(state, shown.history),
  };
}

/** Returns the part of the run that the charts show. */
export function shownRange({ history, store }: Session): TimeRange {
  const state = store.getState();
  const { zoom, frozen } = state.chart;
  return zoom ?? frozen?.range ?? rangeByItself(state, history);
}

export function shownRateScale({ history, store }: Session): RateScale {
  const state = store.getState();
  const { rateScale, frozen } = state.chart;
  return rateScale ?? rateScaleByItself(state, frozen?.history ?? history);
}

/** Returns the whole run's range, which the overview draws. */
export function overviewRange(session: Session): TimeRange {
  const { history, rangeByItself } = chartPicture(session);
  return wholeRange(history, rangeByItself);
}

/** Returns the data to store so that the charts do not change. */
export function frozenPicture({ history, store }: Session): FrozenPicture {
  const state = store.getState();
  return {
    atS: history.endS,
    history: history.copy(),
    marks: state.marks,
    range: rangeByItself(state, history),
  };
}

/** Zooms to this part of the run, clipped to the existing data. */
export function zoomCharts(session: Session, wanted: TimeRange): void {
  const { history, rangeByItself } = chartPicture(session);
  setZoom(session, zoomTo(wanted, wholeRange(history, rangeByItself), rangeByItself));
}

/** Ends the zoom. */
export function unzoomCharts(session: Session): void {
  setZoom(session, null);
}

function setZoom({ store }: Session, zoom: TimeRange | null): void {
  store.setState({ chart: { ...store.getState().chart, zoom } });
}

function rangeByItself(state: ExplorerState, history: HistoryRows): TimeRange {
  const lastMark = state.chart.isSinceMark ? state.marks.at(-1) : undefined;
  const fromS = (lastMark?.run_ns ?? 0) / 1e9;
  const isFinished = state.run_state === 'finished';
  const endS = isFinished ? history.endS : Math.max(history.endS, secondsRecorded(state));
  return chartRange(timeScaleShown(state), endS, isFinished, fromS);
}

function rateScaleByItself(state: ExplorerState, history: HistoryRows): RateScale {
  const recorded = recordedRunSeen(state)?.history ?? null;
  const longest = recorded !== null && recorded.endS > history.endS ? recorded : history;
  return rateScaleOf(longest);
}

const knownScales = new WeakMap<HistoryRows, { scale: RateScale; changes: number }>();

/**
 * Caches the scale: each move of the pointer requests it, but new rows arrive only a few times per
 * second.
 */
function rateScaleOf(history: HistoryRows): RateScale {
  const { changes } = history;
  const known = knownScales.get(history);
  if (known?.changes === changes) return known.scale;
  const scale = rateScaleFor(history.column('transactions_per_s'));
  knownScales.set(history, { scale, changes });
  return scale;
}

/** Shows all of a recorded run, even before the current run has reached its end. */
const secondsRecorded = (state: ExplorerState) =>
  state.chart.isSinceMark ? 0 : (recordedRunSeen(state)?.history.endS ?? 0);

const recordedRunSeen = ({ previousRun, chart }: ExplorerState) =>
  chart.isPreviousRunShown && previousRun?.kind === 'recorded' ? previousRun : null;

function timeScaleShown({ spec, draft, draftSpec }: ExplorerState) {
  return timeScaleOf(spec ?? draftSpec ?? { platform: draft.platform, duration_s: null });
}
