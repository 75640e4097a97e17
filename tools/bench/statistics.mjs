/** @param {number[]} values @returns {number} the middle value, or the mean of the two in the middle */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {number[]} values @param {number} percent @returns {number} nearest-rank percentile */
export function percentile(values, percent) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
}

/** @param {number[]} values @returns {{ median: number, min: number, max: number }} */
export function spread(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}
