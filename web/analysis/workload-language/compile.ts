// Compiles a workload file to a program for the engine, or reports all errors in it.
import { script_limits } from '../../contract/workload-operations.ts';
import type { ScriptGroup, WorkloadProgram } from '../../contract/workload-program.ts';
import { labGallery } from '../lab-gallery.ts';
import { checkedTree, type Grammar } from '../latch-language/checked-tree.ts';
import { Errors, type LabError } from '../latch-language/lab-error.ts';
import { parser } from '../latch-language/latch-parser.ts';
import { readWorkloadTree } from '../latch-language/read-tree.ts';
import type { Named, PartOf, WorkloadPart } from '../latch-language/syntax-tree.ts';
import { checkFunction, compileBody } from './body-compiler.ts';
import type { Body } from './body-state.ts';
import { WorkloadDeclarations } from './declarations.ts';
import type { ProgramParts } from './latch-holds.ts';
import type { LatchGallery } from './latch-kinds.ts';
import { WorkloadCode } from './workload-code.ts';

export type CompiledWorkload =
  { program: WorkloadProgram; errors?: undefined } | { program?: undefined; errors: LabError[] };

const workloadGrammar: Grammar = {
  parser: parser.configure({ top: 'Workload' }),
  one: 'a workload',
  linesMax: script_limits.source_lines_max,
  keywords: ['workload', 'unit', 'const', 'param', 'from', 'to', 'knob', 'design', 'latch', 'kind'].concat(
    ...[
      'condition',
      'queue',
      'barrier',
      'counter',
      'device',
      'thread',
      'every',
      'once',
      'action',
      'at_end',
      'word',
      'line',
      'transaction',
    ],
    ...[
      'in',
      'hold',
      'shared',
      'exclusive',
      'try',
      'repeat',
      'uint',
      'duration',
      'size',
      'void',
      'at',
      'most',
    ],
    ...['if', 'else', 'while', 'break', 'continue', 'return'],
  ),
};

/** `gallery` has the latches of the lab that the source may name. */
export function compileWorkload(source: string, gallery: LatchGallery = labGallery): CompiledWorkload {
  const errors = new Errors(source);
  const tree = checkedTree(errors, workloadGrammar);
  if (tree === undefined) return { errors: errors.inOrder() };
  const program = new WorkloadCompiler(errors, readWorkloadTree(tree, source), gallery).compile();
  return errors.found.length > 0 ? { errors: errors.inOrder() } : { program };
}

const UNIT = 'transactions';
const AT_END = 'at_end';
const PERIOD = { least: BigInt(script_limits.period_min), most: BigInt(script_limits.period_max) };

class WorkloadCompiler {
  private readonly globals: WorkloadDeclarations;
  private readonly code = new WorkloadCode();
  private readonly parts: ProgramParts = { names: [], holds: [] };
  private readonly groups: ScriptGroup[] = [];
  private hadTooManyRegisters = false;

  constructor(
    private readonly errors: Errors,
    private readonly tree: readonly WorkloadPart[],
    gallery: LatchGallery,
  ) {
    this.globals = new WorkloadDeclarations(errors, gallery);
  }

  compile(): WorkloadProgram {
    const title = this.textOf('title') ?? '';
    const unit = this.textOf('unit') ?? UNIT;
    this.globals.functions.expect(this.tree);
    for (const part of this.tree) this.add(part);
    this.checkGroups();
    const threads = this.groups.reduce((sum, { runs, threads: one }) => sum + (runs === AT_END ? 0 : one), 0);
    this.globals.kinds.checkThreads(threads);
    this.globals.latches.checkLines(threads);
    this.checkLimits();
    const { words: declared, counters, devices, sharedLines } = this.globals;
    const { words } = declared;
    const kinds = this.globals.kinds.programs;
    return {
      ...{ title, unit },
      parameters: this.globals.parameters,
      knobs: this.globals.knobs.all,
      designs: this.globals.knobs.allDesigns(),
      latches: this.globals.latches.all,
      ...(words.length > 0 && { words }),
      ...(sharedLines.length > 0 && { shared_lines: sharedLines }),
      ...(counters.length > 0 && { counters }),
      ...(devices.length > 0 && { devices }),
      ...(kinds.length > 0 && { kinds }),
      groups: this.groups,
      ...this.parts,
      registers: this.code.registers,
      constants: this.code.constants,
      code: this.code.code,
      source_lines: this.code.sourceLines,
    };
  }

  private add(part: WorkloadPart): void {
    switch (part.kind) {
      case 'title':
      case 'unit':
        break;
      case 'constant':
        this.globals.addConstant(part);
        break;
      case 'parameter':
        this.globals.addParameter(part);
        break;
      case 'knob':
        this.globals.knobs.add(part);
        break;
      case 'design':
        this.globals.knobs.addDesign(part);
        break;
      case 'kind':
        this.globals.addKind(part);
        break;
      case 'latch':
        this.globals.latches.add(part);
        break;
      case 'word':
      case 'line':
        this.globals.words.add(part);
        break;
      case 'function':
        this.globals.functions.add(part, (symbol) => checkFunction(this.errors, this.globals, symbol));
        break;
      case 'condition':
        this.globals.addCondition(part);
        break;
      case 'queue':
        this.globals.addQueue(part);
        break;
      case 'barrier':
        this.globals.addBarrier(part);
        break;
      case 'counter':
        this.globals.addCounter(part);
        break;
      case 'device':
        this.globals.addDevice(part);
        break;
      case 'group':
        this.addGroup(part);
        break;
      case 'action':
        this.addAction(part);
        break;
      case 'at_end':
        this.addAtEnd(part);
        break;
    }
  }

  private addGroup({ named, size, schedule, body }: PartOf<'group'>): void {
    this.globals.names.reserve(named);
    const threads = size === undefined ? 1 : Number(this.globals.constants.value(size, 'uint').value);
    if (threads < 1 || threads > script_limits.threads_max)
      this.errors.add(size ?? named, `a group has 1 to ${script_limits.threads_max} threads, not ${threads}`);
    const runs = schedule && { runs: schedule.kind, what: `a group with ${schedule.kind}` };
    const period =
      schedule?.kind === 'every'
        ? { period: this.globals.constants.durationWithin(schedule.period, 'a period is', PERIOD) }
        : {};
    this.addBody({ named, body, ...runs }, { threads, ...period });
  }

  private addAction({ named, size, title, body }: PartOf<'action'>): void {
    this.globals.names.reserve(named);
    if (size !== undefined) this.errors.add(size, 'an action has one thread: it takes no number');
    if (title?.name.trim() === '') this.errors.add(title, 'write a few words');
    if (title !== undefined) this.globals.names.checkLength(title, script_limits.title_length_max);
    const what = { runs: 'on_action' as const, what: 'an action' };
    this.addBody({ named, body, ...what }, { threads: 1, title: title?.name ?? named.name });
  }

  private addAtEnd({ from, body }: PartOf<'at_end'>): void {
    const named = { from, to: from + AT_END.length, name: AT_END };
    if (this.groups.some(({ runs }) => runs === AT_END))
      this.errors.add(named, 'a workload has one at_end: write all checks into it');
    this.addBody({ named, body, runs: AT_END, what: AT_END }, { threads: 1 });
  }

  private addBody(
    body: Body,
    { threads, ...rest }: Omit<ScriptGroup, 'name' | 'has_transaction' | 'code'>,
  ): void {
    const { named, runs } = body;
    const begin = this.code.place;
    const { mark } = this.code;
    const hasTransaction =
      this.globals.functions.checkDepth(body) &&
      compileBody(this.errors, this.globals, this.code, this.parts, body);
    this.code.releaseTo(mark);
    if (this.code.hasTooManyRegisters && !this.hadTooManyRegisters) {
      this.hadTooManyRegisters = true;
      const { registers_max } = script_limits;
      this.errors.add(
        named,
        `${named.name} needs ${this.code.registers} registers for locals and values; at most ${registers_max} are allowed`,
      );
    }
    this.groups.push({
      ...{ name: named.name, threads, has_transaction: hasTransaction },
      ...(runs && { runs }),
      ...rest,
      code: [begin, this.code.place],
    });
    const { groups_max } = script_limits;
    if (this.groups.length === groups_max + 1)
      this.errors.add(named, `a workload has at most ${groups_max} groups of threads`);
    this.checkServerThreads(named);
  }

  private checkServerThreads({ name, ...place }: Named): void {
    const most = script_limits.server_threads_max;
    const isOfServer = ({ has_transaction, runs }: ScriptGroup) => !has_transaction && runs !== AT_END;
    const threadsOf = (groups: readonly ScriptGroup[]) =>
      groups.filter(isOfServer).reduce((sum, { threads }) => sum + threads, 0);
    const [before, count] = [threadsOf(this.groups.slice(0, -1)), threadsOf(this.groups)];
    if (before <= most && count > most)
      this.errors.add(
        place,
        `at most ${most} threads in all have no transaction; with ${name} there are ${count}`,
      );
  }

  /** Returns the text of the title or the unit. */
  private textOf(kind: 'title' | 'unit'): string | undefined {
    const parts = this.tree.filter((part): part is PartOf<'title' | 'unit'> => part.kind === kind);
    for (const [place, { text }] of parts.entries()) {
      if (place > 0) this.errors.add(text, `the ${kind === 'title' ? 'title' : 'unit'} is given twice`);
      if (text.name.trim() === '') this.errors.add(text, 'write a few words');
      this.globals.names.checkLength(text, script_limits.title_length_max);
    }
    if (parts.length === 0 && kind === 'title')
      this.errors.add({ from: 0, to: 0 }, 'a workload begins with its title: workload "title";');
    return parts[0]?.text.name;
  }

  private checkGroups(): void {
    const groups = this.groups.filter(({ has_transaction }) => has_transaction);
    const end = this.errors.source.trimEnd().length;
    const [first] = groups;
    if (first === undefined)
      this.errors.add(
        { from: end, to: end },
        'a workload needs clients: thread client[8] { transaction { … } }',
      );
    const others = groups.slice(1).map(({ name }) => name);
    for (const { named } of this.tree.filter((part) => part.kind === 'group'))
      if (others.includes(named.name))
        this.errors.add(named, `only one group has transactions, and ${first!.name} has them`);
  }

  private checkLimits(): void {
    const { instructions_max, constants_max, waited_for_max, sites_max } = script_limits;
    const end = this.errors.source.trimEnd().length;
    const tooMany = (what: string, most: number, count: number) => {
      if (count > most)
        this.errors.add(
          { from: end, to: end },
          `a workload has at most ${most} ${what}; this one has ${count}`,
        );
    };
    if (!this.globals.functions.hasTooManyInstructions)
      tooMany('instructions', instructions_max, this.code.place);
    tooMany('different numbers', constants_max, this.code.constants.length);
    const sleeps = this.code.sleeps();
    const latches = this.globals.latches.all.length + sleeps.words;
    if (sleeps.words > 0)
      tooMany('latches, and words or conditions on which threads sleep', waited_for_max, latches);
    const { holds } = this.parts;
    const sites = new Set(holds.map(({ latch, site }) => `${latch} ${site}`)).size;
    if (sites <= sites_max)
      tooMany(
        'pairs of a latch or a word and a part that takes it or sleeps on it',
        sites_max,
        sites + sleeps.sites,
      );
  }
}
