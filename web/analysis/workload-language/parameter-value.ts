// Converts values of parameters that people write with a unit.
import type { ScriptParameter } from '../../contract/workload-program.ts';
import { units } from './values.ts';

const WITH_UNIT = /^(\d+)(?:\.(\d+))?([A-Za-z]+)$/;

type InUnits = { ok: true; value: string } | { ok: false; allowed: string };

/**
 * Returns a value in the parameter's own unit: `1.5ms` is 1500 of a parameter in `us`. A text without
 * a unit stays as it is; the run spec's check compares it with the range.
 */
export function parameterInUnits(parameter: ScriptParameter, text: string): InUnits {
  const [, whole, fraction = '', name] = WITH_UNIT.exec(text) ?? [];
  if (whole === undefined) return { ok: true, value: text };
  const own = units.find((unit) => unit.name === parameter.unit);
  const unit = units.find((known) => known.name === name && known.type === own?.type);
  if (unit === undefined) return { ok: false, allowed: allowedFor(parameter) };
  const scaled = BigInt(whole + fraction) * unit.scale;
  const divisor = 10n ** BigInt(fraction.length) * BigInt(parameter.scale);
  if (scaled % divisor !== 0n)
    return { ok: false, allowed: `a whole number of ${parameter.unit}: ${allowedFor(parameter)}` };
  return { ok: true, value: String(scaled / divisor) };
}

function allowedFor({ unit, min, max }: ScriptParameter): string {
  const range = `${min}${unit} to ${max}${unit}`;
  const type = units.find(({ name }) => name === unit)?.type;
  const names = units.filter((known) => known.type === type).map(({ name }) => name);
  return type === undefined ? `${range}, without a unit` : `${range}, in ${names.join(', ')}`;
}
