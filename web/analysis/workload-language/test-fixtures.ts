// Runs a compiled body on one thread, without an engine, and lists what it does.
import { script_operations } from '../../contract/workload-code-operations.ts';
import { script_registers } from '../../contract/workload-operations.ts';
import type { WorkloadProgram } from '../../contract/workload-program.ts';
import { compileWorkload } from './compile.ts';

export function compiled(source: string): WorkloadProgram {
  const { program, errors } = compileWorkload(source);
  if (program === undefined)
    throw new Error(errors.map(({ line, sentence }) => `${line}: ${sentence}`).join('\n'));
  return program;
}

export const errorsOf = (source: string) =>
  (compileWorkload(source).errors ?? []).map(({ line, column, sentence, suggestion }) => ({
    at: `${line}:${column}`,
    sentence,
    ...(suggestion !== undefined && { suggestion }),
  }));

interface Conditions {
  /** Variant in force, per knob. */
  variants?: readonly number[];
  /** Values of parameters in their units. */
  parameters?: readonly number[];
  /** What each draw gives. */
  draw?: (operation: string, a: bigint) => bigint;
  /** Whether `try` gets its latch. */
  isFree?: boolean;
  /** What each counter has counted. */
  counted?: Record<string, bigint>;
  threads?: number;
}

const WIDE_MAX = 2n ** 64n - 1n;
const wide = (value: bigint) => (value < 0n ? 0n : value > WIDE_MAX ? WIDE_MAX : value);
const uint = (value: bigint) => BigInt.asUintN(32, value);
const truth = (value: boolean) => (value ? 1n : 0n);

const computed: Record<string, (a: bigint, b: bigint) => bigint> = {
  copy: (a) => a,
  add: (a, b) => uint(a + b),
  subtract: (a, b) => uint(a - b),
  multiply: (a, b) => uint(a * b),
  divide: (a, b) => a / b,
  remainder: (a, b) => a % b,
  bit_and: (a, b) => a & b,
  bit_or: (a, b) => a | b,
  bit_xor: (a, b) => a ^ b,
  shift_left: (a, b) => (b < 32n ? uint(a << b) : 0n),
  shift_right: (a, b) => (b < 32n ? a >> b : 0n),
  add_wide: (a, b) => wide(a + b),
  subtract_wide: (a, b) => wide(a - b),
  multiply_wide: (a, b) => wide(a * b),
  divide_wide: (a, b) => a / b,
  narrow: (a) => (a > 0xffff_ffffn ? 0xffff_ffffn : a),
  equal: (a, b) => truth(a === b),
  not_equal: (a, b) => truth(a !== b),
  less: (a, b) => truth(a < b),
  less_or_equal: (a, b) => truth(a <= b),
};

/** What an access leaves in its word. */
const afterAccess = {
  load: (found: bigint) => found,
  store: (_found: bigint, a: bigint) => a,
  exchange: (_found: bigint, a: bigint) => a,
  compare_exchange: (found: bigint, a: bigint, b: bigint) => (found === a ? b : found),
  fetch_add: (found: bigint, a: bigint) => uint(found + a),
  fetch_sub: (found: bigint, a: bigint) => uint(found - a),
  fetch_and: (found: bigint, a: bigint) => found & a,
  fetch_or: (found: bigint, a: bigint) => found | a,
  fetch_xor: (found: bigint, a: bigint) => found ^ a,
};

const STEPS_MAX = 100_000;

/** Returns what one repetition of a body does, such as `work 300000` or `enter LOCK_grant shared`. */
export function carriedOut(program: WorkloadProgram, conditions: Conditions = {}, group = 0): string[] {
  const { variants = program.knobs.map(() => 0), parameters, isFree = true, threads = 4 } = conditions;
  const draw = conditions.draw ?? ((operation, a) => (operation === 'chance' ? 1n : a / 2n));
  const registers = new Array<bigint>(program.registers).fill(0n);
  registers[script_registers.thread_number] = 1n;
  registers[script_registers.threads] = BigInt(threads);
  const done: string[] = [];
  const held: string[] = [];
  const latchName = (immediate: number) => {
    const { latch, shared, site } = program.holds[immediate & 0xffff]!;
    const { name, elements } = program.latches[latch]!;
    const index = (immediate >>> 16) & 0xff;
    const element = index === script_registers.no_index ? 0n : registers[index]!;
    const which = elements > 1 ? `${name}[${element}]` : name;
    return `${which}${shared ? ' shared' : ''} at ${program.names[site]!}`;
  };
  const words = new Map<string, bigint>();
  const wordName = (immediate: number) => {
    const { name, elements, per_thread } = program.words![immediate & 0xffff]!;
    const index = (immediate >>> 16) & 0xff;
    const element = index === script_registers.no_index ? 0n : registers[index]!;
    return elements > 1 || per_thread ? `${name}[${element}]` : name;
  };
  const counterName = (immediate: number) =>
    immediate === 0 ? 'transactions' : program.counters![immediate - 1]!;
  let pc = program.groups[group]!.code[0];
  for (let steps = 0; steps < STEPS_MAX; ++steps) {
    const packed = program.code[pc * 2]!;
    const immediate = program.code[pc * 2 + 1]!;
    ++pc;
    const { name } = script_operations[packed & 0xff]!;
    const target = (packed >>> 8) & 0xff;
    const a = registers[(packed >>> 16) & 0xff] ?? 0n;
    const b = registers[packed >>> 24] ?? 0n;
    if (Object.hasOwn(computed, name)) {
      registers[target] = computed[name]!(a, b);
      continue;
    }
    switch (name) {
      case 'constant':
        registers[target] = BigInt(program.constants[immediate]!);
        break;
      case 'parameter': {
        const { scale, default: usual } = program.parameters[immediate]!;
        registers[target] = BigInt(parameters?.[immediate] ?? usual) * BigInt(scale);
        break;
      }
      case 'knob_variant':
        registers[target] = BigInt(variants[immediate]!);
        break;
      case 'knob_value':
        registers[target] = BigInt(program.knobs[immediate]!.variants[variants[immediate]!]!.value!);
        break;
      case 'jump':
        pc = immediate;
        break;
      case 'jump_if_zero':
        if (a === 0n) pc = immediate;
        break;
      case 'jump_if_not_zero':
        if (a !== 0n) pc = immediate;
        break;
      case 'uniform':
      case 'chance':
      case 'exponential':
      case 'lognormal':
      case 'zipf':
        registers[target] = draw(name, a);
        break;
      case 'load':
      case 'store':
      case 'exchange':
      case 'compare_exchange':
      case 'fetch_add':
      case 'fetch_sub':
      case 'fetch_and':
      case 'fetch_or':
      case 'fetch_xor': {
        const word = wordName(immediate);
        const found = words.get(word) ?? BigInt(program.words![immediate & 0xffff]!.initial);
        words.set(word, afterAccess[name](found, a, b));
        if (name !== 'store') registers[target] = found;
        done.push(`${name} ${word} ${found} to ${words.get(word)!}`);
        break;
      }
      case 'futex_wait':
        done.push(`futex_wait ${wordName(immediate)} ${a}`);
        break;
      case 'futex_wake':
        registers[target] = a;
        done.push(`futex_wake ${wordName(immediate)} ${a}`);
        break;
      case 'wait':
        done.push(`wait ${wordName(immediate)}`);
        break;
      case 'io':
        done.push(`io ${program.devices![immediate]!.name} ${a}`);
        break;
      case 'count':
        done.push(`count ${counterName(immediate)} ${a}`);
        break;
      case 'counted':
        registers[target] = conditions.counted?.[counterName(immediate)] ?? 0n;
        break;
      case 'enter':
        held.push(latchName(immediate));
        done.push(`enter ${held.at(-1)!}`);
        break;
      case 'try_enter':
        registers[target] = truth(isFree);
        if (isFree) held.push(latchName(immediate));
        done.push(`try ${latchName(immediate)}`);
        break;
      case 'leave':
        done.push(`leave ${held.pop()!.split(' ')[0]!}`);
        break;
      case 'frame_begin':
        done.push(`in ${program.names[immediate]!}`);
        break;
      case 'frame_end':
        done.push('out');
        break;
      case 'give_back':
        return done;
      default:
        done.push(script_operations[packed & 0xff]!.has_a ? `${name} ${a}` : name);
    }
  }
  throw new Error('it does not end');
}

/** A workload with three latches and with this body of its clients. */
export const withBody = (body: string, declarations = '') =>
  `workload "w";\nlatch m : innodb_mutex; latch rw : innodb_rw_lock; latch many[8] : innodb_mutex;\n${declarations}\nthread client[4] { transaction { ${body} } }\n`;

/** Returns what the body does in one transaction. */
export const done = (body: string, declarations = '') =>
  carriedOut(compiled(withBody(body, declarations))).slice(1, -1);

export const errorsIn = (body: string, declarations = '') =>
  errorsOf(withBody(body, declarations)).map(({ sentence }) => sentence);
