// Defines the data of a run's three charts, for the page and for saved pictures.
import { knownStates, type BusyState } from '../contract/time-shares';
import type { LineBand, LineSeries } from './line-chart';
import type { ShareBand } from './share-chart';

export const transactions_series: LineSeries = {
  column: 'transactions_per_s',
  color: '--series-transactions',
  drawn: 'steps',
  width_px: 2.5,
  dash_px: [],
};
export const operations_series: LineSeries = {
  column: 'operations_per_s',
  color: '--series-operations',
  drawn: 'steps',
  width_px: 1.5,
  dash_px: [7, 4],
};
export const RATE_TOP_MIN = 100;

/**
 * Values of a moment. The chart draws the largest ones as dots, and the edges of the band as lines.
 */
export const latency_series: LineSeries[] = [
  { column: 'max_ns', color: '--series-max', drawn: 'dots', width_px: 1.5, dash_px: [] },
  { column: 'p99_ns', color: '--series-p99', drawn: 'steps', width_px: 1, dash_px: [] },
  { column: 'p95_ns', color: '--series-p95', drawn: 'not', width_px: 1.5, dash_px: [] },
  { column: 'p50_ns', color: '--series-p50', drawn: 'steps', width_px: 1.5, dash_px: [] },
];
export const latency_names = ['max', 'p99', 'p95', 'p50'];
export const latency_band: LineBand = { from: 'p50_ns', to: 'p99_ns', color: '--series-p50' };
/** Range of an axis without values. */
export const latency_decades: [number, number] = [1e3, 1e7];

const state_textures: Record<BusyState, ShareBand['texture']> = {
  running: 'plain',
  stalled: 'striped',
  spinning: 'dotted',
  waiting: 'hatched',
  following: 'plain',
  ready: 'dotted',
  sleeping: 'plain',
  io: 'crossed',
};
export const stateColor = (state: BusyState, is_modelled: boolean) =>
  state === 'running' && !is_modelled ? '--state-undivided' : `--state-${state}`;

export interface StateBand extends ShareBand {
  column: BusyState;
}

/** Returns the distinguishable states, from bottom to top. */
export const stateBands = (is_modelled: boolean): StateBand[] =>
  knownStates(is_modelled).map((state) => ({
    column: state,
    color: stateColor(state, is_modelled),
    texture: state_textures[state],
  }));
