// Collects what a workload declares before its threads.
import { lab_limits } from '../../contract/lab-program.ts';
import { script_limits } from '../../contract/workload-operations.ts';
import { counters as engineCounters } from '../../contract/gen/telemetry-layout.ts';
import { script_device_kinds } from '../../contract/workload-program.ts';
import type { ScriptDevice, ScriptParameter, ScriptSharedLine } from '../../contract/workload-program.ts';
import { compileLatchNode } from '../latch-language/compile.ts';
import type { Errors } from '../latch-language/lab-error.ts';
import type { Expression, PartOf, Place, WordNode } from '../latch-language/syntax-tree.ts';
import { Words } from '../latch-language/words.ts';
import { ConstantExpressions } from './constant-expressions.ts';
import { DeclaredFunctions } from './declared-functions.ts';
import { DeclaredLatches } from './declared-latches.ts';
import { DeclaredNames } from './declared-names.ts';
import { Knobs } from './knobs.ts';
import { LatchKinds, type LatchGallery } from './latch-kinds.ts';
import { declareBarrier, declareQueue } from './synchronization.ts';
import { largestUnit, typeInWords, valueInWords, type Value } from './values.ts';

/** The number of a declaration with an error. */
const oneAt = ({ from, to }: Place): Expression => ({ kind: 'number', text: '1', from, to });

export class WorkloadDeclarations {
  readonly names: DeclaredNames;
  readonly constants: ConstantExpressions;
  readonly kinds: LatchKinds;
  readonly knobs: Knobs;
  readonly latches: DeclaredLatches;
  readonly functions: DeclaredFunctions;
  readonly words: Words;
  readonly parameters: ScriptParameter[] = [];
  readonly sharedLines: ScriptSharedLine[] = [];
  readonly counters: string[] = [];
  readonly devices: ScriptDevice[] = [];

  constructor(
    private readonly errors: Errors,
    gallery: LatchGallery,
  ) {
    const names = (this.names = new DeclaredNames(errors));
    const constants = (this.constants = new ConstantExpressions(errors, names));
    const kinds = (this.kinds = new LatchKinds(errors, gallery, {
      constant: (expression) => constants.value(expression),
      unknown: (...use) => names.unknown(...use),
      checkCount: (...count) => names.checkCount(...count),
    }));
    this.knobs = new Knobs(errors, names, constants, (node) => kinds.kind(node));
    this.latches = new DeclaredLatches(errors, names, constants, kinds);
    this.functions = new DeclaredFunctions(errors, names);
    this.words = new Words(errors, {
      owner: 'a workload',
      constant: (expression) => Number(constants.value(expression, 'uint').value),
      size: (expression) => constants.numberOf(expression),
      declare: (named, symbol) => names.declare(named, symbol),
      shareWhile: (condition, words) => {
        const variant = this.knobs.variantIn(condition);
        if (variant !== undefined) this.sharedLines.push({ words: [...words], ...variant });
      },
    });
  }

  addCondition({ named, size, ...place }: PartOf<'condition'>): void {
    this.words.add({ ...place, kind: 'word', ofThreads: false, named, size, initial: undefined });
    this.asCondition(named.name, named.name);
  }

  private asCondition(word: string, condition: string): void {
    const symbol = this.names.called('word', word);
    if (symbol !== undefined) this.names.symbols.set(condition, { kind: 'condition', word: symbol });
  }

  addQueue(part: PartOf<'queue'>): void {
    const { named, size } = part;
    if (size === undefined) {
      const meant = `${named.name}[16]`;
      this.errors.add(named, `a queue has a length: write queue ${meant}`, meant);
    }
    const most = lab_limits.elements_max;
    const length = size === undefined ? 1 : this.constants.numberOf(size);
    if (length < 1 || length > most)
      this.errors.add(size ?? named, `a queue holds 1 to ${most} numbers, not ${length}`);
    const allowed = Math.min(Math.max(length, 1), most);
    declareQueue(this.forSynchronization, part, { length: allowed, capacity: size ?? oneAt(named) });
  }

  addBarrier(part: PartOf<'barrier'>): void {
    const { named, threads } = part;
    const isOfClients = threads?.kind === 'name' && threads.name === 'threads';
    if (threads === undefined)
      this.errors.add(
        named,
        `a barrier is for some threads: write barrier ${named.name}(8)`,
        `${named.name}(8)`,
      );
    else if (!isOfClients) {
      const expected = this.constants.numberOf(threads);
      const most = script_limits.threads_max;
      if (expected < 1 || expected > most)
        this.errors.add(threads, `a barrier is for 1 to ${most} threads, not ${expected}`);
    }
    declareBarrier(this.forSynchronization, part, { expected: threads ?? oneAt(named) });
  }

  private readonly forSynchronization: Parameters<typeof declareQueue>[0] = {
    addWords: (words, onOneLine) => {
      const [{ from, to }] = words as [WordNode];
      if (onOneLine)
        this.words.add({ kind: 'line', from, to, ofThreads: false, words: [...words], condition: undefined });
      else for (const word of words) this.words.add(word);
    },
    rename: (from, to) => {
      const { symbols } = this.names;
      const symbol = symbols.get(from);
      if (symbol !== undefined) symbols.set(to, symbol);
      symbols.delete(from);
    },
    asCondition: (word, condition) => this.asCondition(word, condition),
    checkLength: (named, most) => this.names.checkLength(named, most),
    declare: (named, symbol) => this.names.declare(named, symbol),
    addMutex: (named, symbolName) => this.latches.addMutex(named, symbolName),
  };

  addKind({ to, named, latch }: PartOf<'kind'>): void {
    this.names.reserve(named);
    this.kinds.add(named, compileLatchNode(this.errors, latch, to - 1));
  }

  addCounter({ named }: PartOf<'counter'>): void {
    if (named.name === 'transactions')
      this.errors.add(named, 'transactions are counted already: choose another name');
    else if (engineCounters.some(({ name }) => name === named.name))
      this.errors.add(named, `the engine has a counter ${named.name}: choose another name`);
    this.counters.push(named.name);
    // 0 is the counter of transactions.
    this.names.declare(named, { kind: 'counter', number: this.counters.length });
    this.names.checkCount(named, this.counters.length, script_limits.counters_max, 'counters');
  }

  addDevice({ named, deviceKind }: PartOf<'device'>): void {
    this.devices.push({ name: named.name, ...this.deviceKind(deviceKind) });
    this.names.declare(named, { kind: 'device', number: this.devices.length - 1 });
    this.names.checkCount(named, this.devices.length, script_limits.devices_max, 'devices');
  }

  private deviceKind(expression: Expression): Omit<ScriptDevice, 'name'> {
    const { name, ...place } =
      expression.kind === 'call' ? expression.callee : { ...expression, name: this.errors.text(expression) };
    const kind = script_device_kinds.find((known) => known === name);
    if (kind === undefined) {
      this.names.unknown({ name, ...place }, 'a kind of device', script_device_kinds);
      return { kind: 'nvme' };
    }
    const given = expression.kind === 'call' ? expression.given : [];
    if (kind === 'network') {
      if (given.length === 1) return { kind, latency: this.latency(given[0]!) };
      this.errors.add(expression, 'network needs one duration: write network(200us)', 'network(200us)');
    } else if (expression.kind === 'call') this.errors.add(expression, `write ${kind}, without ( )`, kind);
    return { kind };
  }

  private latency(expression: Expression): number {
    const [least, most] = [1000n, BigInt(script_limits.device_latency_max)];
    return this.constants.durationWithin(expression, 'a network has a latency', { least, most });
  }

  addConstant({ named, value }: PartOf<'constant'>): void {
    this.names.declare(named, { kind: 'constant', value: this.constants.value(value) });
  }

  addParameter({ from, to, named, value, low, high, title }: PartOf<'parameter'>): void {
    const [usual, least, most] = [
      this.constants.value(value),
      this.constants.value(low),
      this.constants.value(high),
    ];
    const { type } = usual;
    for (const [bound, { type: other }] of [[low, least] as const, [high, most] as const])
      if (other !== type)
        this.errors.add(
          bound,
          `${named.name} is ${typeInWords[type]}, and ${this.errors.text(bound)} is ${typeInWords[other]}`,
        );
    if (least.type === most.type && least.value > most.value)
      this.errors.add(
        { from: low.from, to: high.to },
        `the bounds of ${named.name} are in the wrong order: write from ${valueInWords(most)} to ${valueInWords(least)}`,
      );
    else if (
      least.type === type &&
      most.type === type &&
      (least.value > usual.value || usual.value > most.value)
    )
      this.errors.add(
        { from, to },
        `the default of ${named.name} must be from ${valueInWords(least)} to ${valueInWords(most)}, not ${valueInWords(usual)}`,
      );
    const unit = largestUnit(
      type,
      [usual.value, least.value, most.value].filter((one) => one !== 0n),
    );
    const scale = unit?.scale ?? 1n;
    const inUnits = (of: Value) => Number(of.value / scale);
    if (title !== undefined) this.names.checkLength(title, script_limits.title_length_max);
    this.parameters.push({
      id: named.name,
      title: title?.name ?? named.name,
      unit: unit?.name ?? '',
      scale: Number(scale),
      ...{ min: inUnits(least), max: inUnits(most), default: inUnits(usual) },
    });
    this.names.declare(named, { kind: 'parameter', number: this.parameters.length - 1, type });
    this.names.checkCount(named, this.parameters.length, script_limits.parameters_max, 'parameters');
  }
}
