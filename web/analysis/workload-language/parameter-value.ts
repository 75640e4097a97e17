// Converts values of parameters that people write with a unit.
import type { ScriptParameter } from '../../contract/workload-program.ts';
import { units } from './values.ts';

const WITH_UNIT = /^(\d+)(?:\.(\d+))?([A-Za-z]*)$/;

type InUnits = { ok: true; value: string } | { ok: false; allowed: string };

/**
 * Returns a value in the parameter's own unit: `1.5ms` is 1500 of a parameter in `us`. A number without
 * a unit is in that unit.
 */
export function parameterInUnits(parameter: ScriptParameter, text: string): InUnits {
  const [, whole, fraction = '', name] = WITH_UNIT.exec(text) ?? [];
  const own = units.find((unit) => unit.name === parameter.unit);
  const scale =
    name === ''
      ? BigInt(parameter.scale)
      : units.find((known) => known.name === name && known.type === own?.type)?.scale;
  if (whole === undefined || scale === undefined) return { ok: false, allowed: allowedFor(parameter) };
  const scaled = BigInt(whole + fraction) * scale;
  const divisor = 10n ** BigInt(fraction.length) * BigInt(parameter.scale);
  if (scaled % divisor !== 0n) {
    const whatIsWhole = parameter.unit === '' ? 'a whole number' : `a whole number of ${parameter.unit}`;
    return { ok: false, allowed: `${whatIsWhole}: ${allowedFor(parameter)}` };
  }
  const value = scaled / divisor;
  const isWithin = value >= BigInt(parameter.min) && value <= BigInt(parameter.max);
  return isWithin ? { ok: true, value: String(value) } : { ok: false, allowed: allowedFor(parameter) };
}

function allowedFor({ unit, min, max }: ScriptParameter): string {
  const range = `${min}${unit} to ${max}${unit}`;
  const type = units.find(({ name }) => name === unit)?.type;
  const names = units.filter((known) => known.type === type).map(({ name }) => name);
  return type === undefined ? `${range}, without a unit` : `${range}, in ${names.join(', ')}`;
}
