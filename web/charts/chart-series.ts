// What the three charts of a run draw: on the page, and in the pictures that are saved of them.
import { busy_states, type BusyState } from '../contract/time-shares';
import type { LineSeries } from './line-chart';
import type { ShareBand } from './share-chart';

export const transactions_series: LineSeries = {
  column: 'transactions_per_s',
  color: '--series-transactions',
  width_px: 2.5,
  dash_px: [],
};
export const operations_series: LineSeries = {
  column: 'operations_per_s',
  color: '--series-operations',
  width_px: 2,
  dash_px: [7, 4],
};
export const RATE_TOP_MIN = 100;

export const latency_series: LineSeries[] = [
  { column: 'max_ns', color: '--series-max', width_px: 1.5, dash_px: [9, 3, 2, 3] },
  { column: 'p99_ns', color: '--series-p99', width_px: 2.5, dash_px: [] },
  { column: 'p95_ns', color: '--series-p95', width_px: 2, dash_px: [8, 4] },
  { column: 'p50_ns', color: '--series-p50', width_px: 2, dash_px: [2, 3] },
];
export const latency_names = ['max', 'p99', 'p95', 'p50'];
/** Of an axis without values. */
export const latency_decades: [number, number] = [1e3, 1e7];

const state_textures: Record<BusyState, ShareBand['texture']> = {
  running: 'plain',
  spinning: 'dotted',
  waiting: 'hatched',
  sleeping: 'plain',
  io: 'crossed',
};
export const state_bands: ShareBand[] = busy_states.map((state) => ({
  column: state,
  color: `--state-${state}`,
  texture: state_textures[state],
}));
