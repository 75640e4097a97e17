// Formats numbers for the page. An unknown value is a dash, never a zero.

export const DASH = '–';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const threeDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const twoDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 2 });
const twoDecimals = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const oneDecimal = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

type Maybe = number | null | undefined;

const known = (value: Maybe): value is number => value != null && Number.isFinite(value);

/** 12,345 */
export const formatWhole = (value: Maybe) => (known(value) ? whole.format(value) : DASH);

/** 1 core, 8 cores */
export const counted = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`;

/** 12.3K: for axis ticks */
export const formatCompact = (value: Maybe) => (known(value) ? compact.format(value) : DASH);

/** 6.00, but 8,451 */
export function formatPerOperation(value: Maybe): string {
  if (!known(value)) return DASH;
  return value >= 100 ? whole.format(value) : twoDecimals.format(value);
}

/** 6, 6.06, 8,451: a count per operation. A value below rounding precision is 0. */
export function formatCount(value: Maybe): string {
  if (!known(value)) return DASH;
  if (Math.abs(value) < 0.005) return '0';
  return Number.isInteger(value) ? whole.format(value) : formatPerOperation(value);
}

/** 6.05 to 6.07 */
export function formatRangeOf(
  [least, most]: readonly [number, number],
  format: (value: number) => string,
): string {
  const [low, high] = [format(least), format(most)];
  return Number(low) === Number(high) || low === high ? low : `${low} to ${high}`;
}

/** 12.3 % */
export const formatShare = (value: Maybe) =>
  known(value) ? `${oneDecimal.format(value * 100)}\u202f%` : DASH;

/** 3 significant digits, and whole above 1,000 */
export function formatFigure(value: Maybe): string {
  if (!known(value)) return DASH;
  return Math.abs(value) >= 1000 ? whole.format(value) : threeDigits.format(value);
}

/** Formats a number like `formatFigure`, and a range by its two ends: 4 to 6 */
export const formatRange = (value: number | readonly [number, number]) =>
  typeof value === 'number' ? formatFigure(value) : `${formatFigure(value[0])} to ${formatFigure(value[1])}`;

/** 1.8×, ÷ 76: the ratio of two rates */
export function formatRatio(ratio: Maybe): string {
  if (!known(ratio)) return DASH;
  if (ratio === 0) return '0×';
  return ratio >= ROUNDS_TO_1 ? `${inTwoDigits(ratio)}×` : `÷ ${inTwoDigits(1 / ratio)}`;
}

const ROUNDS_TO_1 = 0.95;
const inTwoDigits = (value: number) => (value < 9.95 ? oneDecimal : twoDigits).format(value);

/** 1.034: a ratio whose interval would disappear with fewer digits */
export const formatThousandths = (ratio: number) => ratio.toFixed(3);

/** 12.3 s */
export const formatSeconds = (seconds: Maybe) => (known(seconds) ? `${oneDecimal.format(seconds)} s` : DASH);

/** 12.34 ms: without "virtual", which the page says elsewhere */
export function formatVirtualTime(seconds: Maybe): string {
  if (!known(seconds)) return DASH;
  return seconds < 1 ? `${twoDecimals.format(seconds * 1e3)} ms` : `${twoDecimals.format(seconds)} s`;
}

const durationUnits = [
  { unit: 's', ns: 1e9 },
  { unit: 'ms', ns: 1e6 },
  { unit: 'µs', ns: 1e3 },
  { unit: 'ns', ns: 1 },
] as const;

/** Formats a duration, but no finer than the resolution of its clock. */
export function formatLatencyNs(latencyNs: Maybe, clockStepNs: Maybe): string {
  if (known(latencyNs) && known(clockStepNs) && latencyNs < clockStepNs) {
    return `< ${formatDurationNs(clockStepNs)}`;
  }
  return formatDurationNs(latencyNs);
}

/** Returns the largest unit that fits into the duration at least once. */
export function durationUnit(durationNs: number): { unit: string; ns: number } {
  return durationUnits.find((candidate) => durationNs >= candidate.ns) ?? durationUnits[3];
}

/** 850 ns, 12.3 µs, 4.56 ms, 1.2 s */
export function formatDurationNs(durationNs: Maybe): string {
  if (!known(durationNs)) return DASH;
  const { unit, ns } = durationUnit(durationNs);
  return `${threeDigits.format(durationNs / ns)} ${unit}`;
}

/** Formats milliseconds like `formatDurationNs`. */
export const formatMs = (ms: Maybe) => formatDurationNs(known(ms) ? ms * 1e6 : null);
