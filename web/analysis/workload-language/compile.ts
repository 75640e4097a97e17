// Compiles a workload file to a program for the engine, or reports all errors in it.
import { script_limits } from '../../contract/workload-operations.ts';
import type { ScriptGroup, WorkloadProgram } from '../../contract/workload-program.ts';
import { checkedTree, type Grammar } from '../latch-language/checked-tree.ts';
import { Errors, type LabError } from '../latch-language/lab-error.ts';
import { parser } from '../latch-language/latch-parser.ts';
import { readWorkloadTree, type WorkloadPart } from '../latch-language/syntax-tree.ts';
import { compileBody, type ProgramParts } from './body-compiler.ts';
import { WorkloadDeclarations, type PartOf } from './declarations.ts';
import { WorkloadCode } from './workload-code.ts';

export type CompiledWorkload =
  { program: WorkloadProgram; errors?: undefined } | { program?: undefined; errors: LabError[] };

const workloadGrammar: Grammar = {
  parser: parser.configure({ top: 'Workload' }),
  one: 'a workload',
  linesMax: script_limits.source_lines_max,
  keywords: ['workload', 'unit', 'const', 'param', 'from', 'to', 'knob', 'design', 'latch', 'thread'].concat(
    ...[
      'word',
      'line',
      'transaction',
      'in',
      'hold',
      'shared',
      'exclusive',
      'try',
      'repeat',
      'uint',
      'duration',
      'size',
    ],
    ...['if', 'else', 'while', 'break', 'continue', 'return'],
  ),
};

export function compileWorkload(source: string): CompiledWorkload {
  const errors = new Errors(source);
  const tree = checkedTree(errors, workloadGrammar);
  if (tree === undefined) return { errors: errors.inOrder() };
  const program = new WorkloadCompiler(errors, readWorkloadTree(tree, source)).compile();
  return errors.found.length > 0 ? { errors: errors.inOrder() } : { program };
}

const UNIT = 'transactions';

class WorkloadCompiler {
  private readonly globals: WorkloadDeclarations;
  private readonly code = new WorkloadCode();
  private readonly parts: ProgramParts = { names: [], holds: [] };
  private readonly groups: ScriptGroup[] = [];
  private hadTooManyRegisters = false;

  constructor(
    private readonly errors: Errors,
    private readonly tree: readonly WorkloadPart[],
  ) {
    this.globals = new WorkloadDeclarations(errors);
  }

  compile(): WorkloadProgram {
    const title = this.textOf('title') ?? '';
    const unit = this.textOf('unit') ?? UNIT;
    for (const part of this.tree) this.add(part);
    this.checkGroups();
    this.checkLimits();
    const { words } = this.globals.words;
    return {
      ...{ title, unit },
      parameters: this.globals.parameters,
      knobs: this.globals.knobs,
      designs: this.globals.allDesigns(),
      latches: this.globals.latches,
      ...(words.length > 0 && { words }),
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
        this.globals.addKnob(part);
        break;
      case 'design':
        this.globals.addDesign(part);
        break;
      case 'latch':
        this.globals.addLatch(part);
        break;
      case 'word':
      case 'line':
        this.globals.words.add(part);
        break;
      case 'group':
        this.addGroup(part);
        break;
    }
  }

  private addGroup({ named, size, body }: PartOf<'group'>): void {
    this.globals.declareName(named);
    const threads = size === undefined ? 1 : Number(this.globals.constant(size, 'uint').value);
    if (threads < 1 || threads > script_limits.threads_max)
      this.errors.add(size ?? named, `a group has 1 to ${script_limits.threads_max} threads, not ${threads}`);
    const begin = this.code.place;
    const { mark } = this.code;
    const hasTransaction = compileBody(this.errors, this.globals, this.code, this.parts, { named, body });
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
      name: named.name,
      threads,
      has_transaction: hasTransaction,
      code: [begin, this.code.place],
    });
  }

  /** Returns the text of the title or the unit. */
  private textOf(kind: 'title' | 'unit'): string | undefined {
    const parts = this.tree.filter((part): part is PartOf<'title' | 'unit'> => part.kind === kind);
    for (const [place, { text }] of parts.entries()) {
      if (place > 0) this.errors.add(text, `the ${kind === 'title' ? 'title' : 'unit'} is given twice`);
      if (text.name.trim() === '') this.errors.add(text, 'write a few words');
      this.globals.checkLength(text, script_limits.title_length_max);
    }
    if (parts.length === 0 && kind === 'title')
      this.errors.add({ from: 0, to: 0 }, 'a workload begins with its title: workload "title";');
    return parts[0]?.text.name;
  }

  private checkGroups(): void {
    const groups = this.tree.filter((part) => part.kind === 'group');
    const withTransaction = groups.filter((_, place) => this.groups[place]!.has_transaction);
    const end = this.errors.source.trimEnd().length;
    if (withTransaction.length === 0)
      this.errors.add(
        { from: end, to: end },
        'a workload needs clients: thread client[8] { transaction { … } }',
      );
    for (const { named } of withTransaction.slice(1))
      this.errors.add(
        named,
        `only one group has transactions, and ${withTransaction[0]!.named.name} has them`,
      );
    this.checkServerThreads(groups);
    const { groups_max } = script_limits;
    if (groups.length > groups_max)
      this.errors.add(groups[groups_max]!.named, `a workload has at most ${groups_max} groups of threads`);
  }

  private checkServerThreads(groups: readonly PartOf<'group'>[]): void {
    const most = script_limits.server_threads_max;
    let count = 0;
    for (const [place, { named, size }] of groups.entries()) {
      const { has_transaction, threads } = this.groups[place]!;
      if (has_transaction) continue;
      const before = count;
      count += threads;
      if (before <= most && count > most)
        this.errors.add(
          size ?? named,
          `at most ${most} threads in all have no transaction; with ${named.name} there are ${count}`,
        );
    }
  }

  private checkLimits(): void {
    const { instructions_max, constants_max } = script_limits;
    const end = this.errors.source.trimEnd().length;
    const tooMany = (what: string, most: number, count: number) => {
      if (count > most)
        this.errors.add(
          { from: end, to: end },
          `a workload has at most ${most} ${what}; this one has ${count}`,
        );
    };
    tooMany('instructions', instructions_max, this.code.place);
    tooMany('different numbers', constants_max, this.code.constants.length);
  }
}
