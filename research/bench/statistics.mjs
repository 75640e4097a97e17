// Statistics of measured values.
import { median } from 'd3-array';

/** @param {number[]} values @param {number} percent @returns {number} nearest-rank percentile */
export function percentile(values, percent) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

/** @param {number[]} values @returns {{ median: number, min: number, max: number }} */
export function spread(values) {
  return { median: median(values) ?? NaN, min: Math.min(...values), max: Math.max(...values) };
}
