// The values of workload files: their types, how they are written, and their arithmetic.
import { script_limits } from '../../contract/workload-operations.ts';

/**
 * `uint`: 32 bits, wrapping. `duration`: picoseconds. `size`: bytes. Both stop at 0 and at 2^64 - 1.
 * `share`: parts per million, such as `1pct`.
 */
export type ValueType = 'uint' | 'duration' | 'size' | 'share';

export interface Value {
  type: ValueType;
  value: bigint;
}

export interface Unit {
  name: string;
  type: ValueType;
  /** Of the smallest unit of its type. */
  scale: bigint;
}

const PS_PER_S = 1_000_000_000_000n;

/** The smallest first. */
export const units: readonly Unit[] = [
  { name: 'ps', type: 'duration', scale: 1n },
  { name: 'ns', type: 'duration', scale: 1_000n },
  { name: 'us', type: 'duration', scale: 1_000_000n },
  { name: 'ms', type: 'duration', scale: 1_000_000_000n },
  { name: 's', type: 'duration', scale: PS_PER_S },
  { name: 'min', type: 'duration', scale: 60n * PS_PER_S },
  { name: 'h', type: 'duration', scale: 3600n * PS_PER_S },
  { name: 'B', type: 'size', scale: 1n },
  { name: 'KiB', type: 'size', scale: 2n ** 10n },
  { name: 'MiB', type: 'size', scale: 2n ** 20n },
  { name: 'GiB', type: 'size', scale: 2n ** 30n },
  { name: 'TiB', type: 'size', scale: 2n ** 40n },
  { name: 'pct', type: 'share', scale: 10_000n },
];

const unitsByName = new Map(units.map((unit) => [unit.name, unit]));

export const UINT_MAX = 0xffff_ffffn;
export const WIDE_MAX = 2n ** 64n - 1n;
const CONSTANT_MAX = BigInt(script_limits.constant_max);

export const isWide = (type: ValueType) => type === 'duration' || type === 'size';

/** A name with its article. */
export const typeInWords: Record<ValueType, string> = {
  uint: 'a number',
  duration: 'a duration',
  size: 'a size',
  share: 'a share',
};

/** An example of a value of each type. */
export const exampleOf: Record<ValueType, string> = {
  uint: '4',
  duration: '4us',
  size: '4KiB',
  share: '4pct',
};

/** Parses a literal, such as `40us`; a sentence says what is wrong. */
export function valueOfLiteral(text: string): Value | { wrong: string; suggestion?: string } {
  const [, whole, decimals = '', unitName = ''] = /^(\d+)(?:\.(\d+))?([a-zA-Z]*)$/.exec(text) ?? [];
  if (/^0[xX][0-9a-fA-F]+$/.test(text) || (whole !== undefined && decimals === '' && unitName === '')) {
    const value = BigInt(text);
    if (value <= UINT_MAX) return { type: 'uint', value };
    return { wrong: `${text} is too large: a number has 32 bits, 0 to 4294967295` };
  }
  if (whole === undefined) return { wrong: `${text} is not a number, a duration or a size` };
  const unit = unitsByName.get(unitName);
  if (unit === undefined) return wrongUnit(text, unitName);
  const scaled = BigInt(whole + decimals) * unit.scale;
  const divisor = 10n ** BigInt(decimals.length);
  if (scaled % divisor !== 0n) return { wrong: `${text} is no whole number of ${smallestOf(unit.type)}` };
  const value = scaled / divisor;
  if (value > CONSTANT_MAX) return { wrong: `${text} is too large: at most ${inUnit(CONSTANT_MAX, unit)}` };
  return { type: unit.type, value };
}

/** Names that people write, and the unit that they mean. */
const otherUnits: Record<string, string> = {
  ...{ usec: 'us', msec: 'ms', nsec: 'ns', sec: 's', m: 'min', hour: 'h', percent: 'pct' },
  ...{ k: 'KiB', kb: 'KiB', mb: 'MiB', gb: 'GiB', tb: 'TiB', g: 'GiB', t: 'TiB', bytes: 'B' },
  ...{ kib: 'KiB', mib: 'MiB', gib: 'GiB', tib: 'TiB', b: 'B' },
};

function wrongUnit(text: string, name: string): { wrong: string; suggestion?: string } {
  const lower = name.toLowerCase();
  const meant = Object.hasOwn(otherUnits, lower) ? otherUnits[lower] : unitsByName.get(lower)?.name;
  if (name === '') return { wrong: `${text} has no unit: a number with decimals needs one, such as us` };
  const known = units.map((unit) => unit.name).join(', ');
  if (meant === undefined) return { wrong: `${text} has an unknown unit; the units are ${known}` };
  const suggestion = text.slice(0, -name.length) + meant;
  return { wrong: `${text} has an unknown unit; did you mean ${suggestion}?`, suggestion };
}

const smallestOf = (type: ValueType) =>
  type === 'duration' ? 'picoseconds' : type === 'size' ? 'bytes' : 'parts per million';

const inUnit = (value: bigint, { name, scale }: Unit) => `${value / scale}${name}`;

/** Writes a value in the largest unit in which it is whole. */
export function valueInWords({ type, value }: Value): string {
  const unit = value === 0n ? undefined : largestUnit(type, [value]);
  return unit === undefined ? value.toString() : inUnit(value, unit);
}

/** Returns the largest unit of a type in which all values are whole; undefined for numbers. */
export const largestUnit = (type: ValueType, values: readonly bigint[]): Unit | undefined =>
  units.findLast((unit) => unit.type === type && values.every((value) => value % unit.scale === 0n));

const saturated = (value: bigint) => (value < 0n ? 0n : value > WIDE_MAX ? WIDE_MAX : value);
const wrapped = (value: bigint) => BigInt.asUintN(32, value);
const bit = (truth: boolean): Value => ({ type: 'uint', value: truth ? 1n : 0n });

const comparisons: Record<string, (a: bigint, b: bigint) => boolean> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '&&': (a, b) => a !== 0n && b !== 0n,
  '||': (a, b) => a !== 0n || b !== 0n,
};

const ofNumbers: Record<string, (a: bigint, b: bigint) => bigint> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => (b < 32n ? a << b : 0n),
  '>>': (a, b) => (b < 32n ? a >> b : 0n),
};

export const isComparison = (operator: string) => Object.hasOwn(comparisons, operator);

/** Returns the type of `a operator b`; undefined if the operator does not take these types. */
export function typeOfBinary(operator: string, a: ValueType, b: ValueType): ValueType | undefined {
  if (operator === '&&' || operator === '||') return a === 'uint' && b === 'uint' ? 'uint' : undefined;
  if (isComparison(operator)) return a === b ? 'uint' : undefined;
  if (a === 'share' || b === 'share') return undefined;
  if (a === 'uint' && b === 'uint') return 'uint';
  switch (operator) {
    case '+':
    case '-':
      return a === b ? a : undefined;
    case '*':
      return a === 'uint' ? b : b === 'uint' ? a : undefined;
    case '/':
      return b === 'uint' ? a : a === b ? 'uint' : undefined;
    default:
      return undefined;
  }
}

/**
 * Computes `a operator b` as the engine does; undefined for a division by zero.
 * REQUIRES: typeOfBinary has a type.
 */
export function computed(operator: string, a: Value, b: Value): Value | undefined {
  if (isComparison(operator)) return bit(comparisons[operator]!(a.value, b.value));
  if (/[/%]/.test(operator) && b.value === 0n) return undefined;
  const type = typeOfBinary(operator, a.type, b.type)!;
  const value = ofNumbers[operator]!(a.value, b.value);
  if (isWide(type)) return { type, value: saturated(value) };
  // A quotient of two sizes may need more bits; it stops at the largest number.
  const isNarrowed = isWide(a.type);
  return { type, value: isNarrowed && value > UINT_MAX ? UINT_MAX : wrapped(value) };
}

export function negated(operator: string, { type, value }: Value): Value | undefined {
  if (type !== 'uint') return undefined;
  if (operator === '!') return bit(value === 0n);
  return { type, value: wrapped(operator === '-' ? -value : ~value) };
}
