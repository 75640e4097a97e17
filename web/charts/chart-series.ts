// Defines the data of a run's three charts, for the page and for saved pictures.
import { knownStates, type BusyState } from '../contract/time-shares';
import type { LineBand, LineSeries } from './line-chart';
import type { ShareBand } from './share-chart';

export const transactionsSeries: LineSeries = {
  column: 'transactions_per_s',
  color: '--series-transactions',
  drawn: 'steps',
  widthPx: 2.5,
  dashPx: [],
};
export const operationsSeries: LineSeries = {
  column: 'operations_per_s',
  color: '--series-operations',
  drawn: 'steps',
  widthPx: 1.5,
  dashPx: [7, 4],
};
export const RATE_TOP_MIN = 100;

/**
 * Values of a moment. The chart draws the largest ones as dots, and the edges of the band as lines.
 */
export const latencySeries: LineSeries[] = [
  { column: 'max_ns', color: '--series-max', drawn: 'dots', widthPx: 1.5, dashPx: [] },
  { column: 'p99_ns', color: '--series-p99', drawn: 'steps', widthPx: 1, dashPx: [] },
  { column: 'p95_ns', color: '--series-p95', drawn: 'not', widthPx: 1.5, dashPx: [] },
  { column: 'p50_ns', color: '--series-p50', drawn: 'steps', widthPx: 1.5, dashPx: [] },
];
export const latencyNames = ['max', 'p99', 'p95', 'p50'];
export const medianToP99: LineBand = { from: 'p50_ns', to: 'p99_ns', color: '--series-p50' };
/** Range of an axis without values. */
export const latencyDecades: [number, number] = [1e3, 1e7];

const stateTextures: Record<BusyState, ShareBand['texture']> = {
  running: 'plain',
  stalled: 'striped',
  spinning: 'dotted',
  waiting: 'hatched',
  following: 'plain',
  ready: 'dotted',
  sleeping: 'plain',
  io: 'crossed',
};
export const stateColor = (state: BusyState, isModeled: boolean) =>
  state === 'running' && !isModeled ? '--state-undivided' : `--state-${state}`;

export interface StateBand extends ShareBand {
  column: BusyState;
}

/** Returns the distinguishable states, from bottom to top. */
export const stateBands = (isModeled: boolean): StateBand[] =>
  knownStates(isModeled).map((state) => ({
    column: state,
    color: stateColor(state, isModeled),
    texture: stateTextures[state],
  }));
