// Compiles draws of random numbers and durations.
import { script_limits } from '../../contract/workload-operations.ts';
import type { Errors } from '../latch-language/lab-error.ts';
import type { Call, Expression } from '../latch-language/syntax-tree.ts';
import type { Value, ValueType } from './values.ts';
import { exampleOf, valueInWords } from './values.ts';
import type { ScriptOperation, Typed, WorkloadCode } from './workload-code.ts';

interface Draw {
  operation: ScriptOperation;
  takes: readonly ValueType[];
  gives: ValueType;
  /** Its arguments, in messages. */
  example: string;
}

const drawOf: Readonly<Record<string, Draw>> = {
  uniform: { operation: 'uniform', takes: ['uint'], gives: 'uint', example: exampleOf.uint },
  chance: { operation: 'chance', takes: ['share'], gives: 'uint', example: exampleOf.share },
  exponential: {
    operation: 'exponential',
    takes: ['duration'],
    gives: 'duration',
    example: exampleOf.duration,
  },
  lognormal: {
    operation: 'lognormal',
    takes: ['duration', 'share'],
    gives: 'duration',
    example: '40us, 150pct',
  },
  zipf: { operation: 'zipf', takes: ['uint', 'share'], gives: 'uint', example: '1000, 99pct' },
};

export const isDraw = (name: string) => Object.hasOwn(drawOf, name);

/** What the compiler of expressions provides. */
interface DrawsHost {
  constant: (expression: Expression) => Value | undefined;
  valueOf: (type: ValueType, user: string, expression: Expression) => number;
}

export class Draws {
  constructor(
    private readonly errors: Errors,
    private readonly code: WorkloadCode,
    private readonly host: DrawsHost,
  ) {}

  /** REQUIRES: isDraw() of the called name. */
  draw(call: Call, wanted: number | undefined): Typed {
    const { name } = call.callee;
    const { operation, takes, gives, example } = drawOf[name]!;
    if (call.given.length !== takes.length) {
      this.errors.add(call, `${name} got ${call.given.length} arguments: write ${name}(${example})`);
      return this.code.unknown(wanted);
    }
    const { mark } = this.code;
    const exponent = name === 'zipf' ? this.exponentOf(call.given[1]!) : 0;
    this.checkRange(name, call.given);
    const values = call.given
      .slice(0, name === 'zipf' ? 1 : undefined)
      .map((given, place) => this.host.valueOf(takes[place]!, `${name} takes`, given));
    this.code.releaseTo(mark);
    const target = this.code.target(wanted);
    this.code.write(operation, { target, a: values[0] ?? 0, b: values[1] ?? 0, immediate: exponent });
    return { register: target, type: gives };
  }

  /** Returns the place of the exponent among the constants. */
  private exponentOf(given: Expression): number {
    const { zipf_exponent_min: least, zipf_exponent_max: most, zipf_exponents_max } = script_limits;
    const constant = this.host.constant(given);
    if (constant?.type !== 'share' || constant.value < BigInt(least) || constant.value > BigInt(most)) {
      this.errors.add(
        given,
        `the exponent of zipf is a constant from ${share(least)} to ${share(most)}, such as 99pct, not ${this.errors.text(given)}`,
      );
      return 0;
    }
    if (!this.code.addExponent(constant.value))
      this.errors.add(given, `a workload has at most ${zipf_exponents_max} exponents of zipf`);
    return this.code.placeOf(constant.value);
  }

  /** Reports constants that no run would accept. */
  private checkRange(name: string, [first, second]: readonly Expression[]): void {
    const { zipf_max, variation_max } = script_limits;
    const numbers = name === 'zipf' ? this.host.constant(first!) : undefined;
    if (numbers?.type === 'uint' && (numbers.value < 1n || numbers.value > BigInt(zipf_max)))
      this.errors.add(first!, `zipf draws from 1 to ${zipf_max} numbers, not ${numbers.value}`);
    const shareOf = name === 'chance' ? this.host.constant(first!) : undefined;
    if (shareOf?.type === 'share' && shareOf.value > 1_000_000n)
      this.errors.add(first!, `a chance is at most 100pct, not ${this.errors.text(first!)}`);
    const below = name === 'uniform' ? this.host.constant(first!) : undefined;
    if (below?.type === 'uint' && below.value === 0n)
      this.errors.add(first!, 'uniform draws from at least 1 number, not 0');
    const variation = name === 'lognormal' ? this.host.constant(second!) : undefined;
    if (variation?.type === 'share' && variation.value > BigInt(variation_max))
      this.errors.add(
        second!,
        `a coefficient of variation is at most ${share(variation_max)}, not ${this.errors.text(second!)}`,
      );
  }
}

const share = (ppm: number) => valueInWords({ type: 'share', value: BigInt(ppm) });
