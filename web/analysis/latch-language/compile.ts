// Compiles the source of a latch (docs/reference/latch-language.md) to a program for the engine, or
// reports all errors in the source.
import type { LabFunction, LabLocal, LabProgram } from '../../contract/latch-program.ts';
import { lab_functions, lab_limits } from '../../contract/lab-program.ts';
import { Declarations } from './declarations.ts';
import type { OwnCall } from './expressions.ts';
import { compileFunction } from './function-compiler.ts';
import { labCode } from './lab-code.ts';
import { Errors, nearestName, type LabError } from './lab-error.ts';
import { checkedTree, type Grammar } from './checked-tree.ts';
import { parser } from './latch-parser.ts';
import { readTree } from './read-tree.ts';
import type { FunctionNode, Latch } from './syntax-tree.ts';

export type Compiled =
  | { program: LabProgram; locals: LabLocal[]; errors?: undefined }
  | { program?: undefined; errors: LabError[] };

const latchGrammar: Grammar = {
  parser,
  one: 'a source',
  linesMax: lab_limits.source_lines_max,
  keywords: ['word', 'thread', 'line', 'const', 'threads', 'void', 'uint'].concat(
    ...['at', 'most', 'if', 'else', 'while', 'break', 'continue', 'return'],
  ),
};

export function compile(source: string): Compiled {
  const errors = new Errors(source);
  const tree = checkedTree(errors, latchGrammar);
  if (tree === undefined) return { errors: errors.inOrder() };
  const end = source.trimEnd().length;
  const { program, locals } = new LatchCompiler(errors, readTree(tree, source), end).compile();
  return errors.found.length > 0 ? { errors: errors.inOrder() } : { program, locals };
}

/**
 * Compiles a latch that is a part of a source. Adds its errors. Functions that it lacks are reported at
 * `end`, an offset of the source.
 */
export const compileLatchNode = (errors: Errors, latch: Latch, end: number): LabProgram =>
  new LatchCompiler(errors, latch, end).compile().program;

class LatchCompiler {
  private readonly globals: Declarations;
  private readonly writer = labCode();
  private readonly functions = new Map<LabFunction, FunctionNode>();
  private compiling: LabFunction = 'enter';

  constructor(
    private readonly errors: Errors,
    private readonly latch: Latch,
    private readonly end: number,
  ) {
    this.globals = new Declarations(errors);
  }

  compile(): { program: LabProgram; locals: LabLocal[] } {
    for (const declaration of this.latch.declarations) this.globals.add(declaration);
    for (const node of this.latch.functions) this.declareFunction(node);
    this.checkFunctions();
    const functions: LabProgram['functions'] = {};
    for (const name of lab_functions) {
      const node = this.functions.get(name);
      if (node) functions[name] = this.compileFunction(name, node);
    }
    this.checkLimits();
    return { program: this.program(functions), locals: this.writer.locals };
  }

  private program(functions: LabProgram['functions']): LabProgram {
    const { registers, code, sourceLines } = this.writer;
    const { words, threadsMax } = this.globals;
    return {
      words,
      registers,
      functions,
      code,
      source_lines: sourceLines,
      ...(threadsMax === undefined ? {} : { threads_max: threadsMax }),
    };
  }

  private declareFunction(node: FunctionNode): void {
    const { name } = node.named;
    const known = lab_functions.find((functionName) => functionName === name);
    if (known === undefined) {
      const meant = nearestName(name, lab_functions);
      const what = `a latch has the functions ${lab_functions.join(', ')}, not ${name}`;
      this.errors.add(node.named, meant ? `${what}; did you mean ${meant}?` : what, meant);
    } else if (this.functions.has(known)) {
      this.errors.add(node.named, `${name} is defined twice`);
    } else {
      this.functions.set(known, node);
    }
  }

  private checkFunctions(): void {
    for (const needed of ['enter', 'exit'] as const) this.need(needed, `a latch needs void ${needed}() { }`);
    const shared = ['enter_shared', 'exit_shared'] as const;
    for (const [has, needed] of [shared, shared.toReversed()]) {
      if (this.functions.has(has)) this.need(needed, `${has} needs void ${needed}() { }`);
    }
  }

  private need(name: LabFunction, sentence: string): void {
    const isMisspelled = this.latch.functions.some(
      ({ named }) => nearestName(named.name, lab_functions) === name,
    );
    if (this.functions.has(name) || isMisspelled) return;
    this.errors.add({ from: this.end, to: this.end }, sentence);
  }

  private compileFunction(name: LabFunction, node: FunctionNode): [number, number] {
    this.compiling = name;
    const begin = this.writer.place;
    const { mark } = this.writer;
    // These functions call others, whose registers they must not use.
    if (this.mayCall) this.writer.keepEarlierRegisters();
    const { globals, ownCall } = this;
    const ownFunctions = this.latch.functions.map(({ named }) => named.name).concat(lab_functions);
    compileFunction(this.errors, this.writer, { globals, ownCall, ownFunctions }, node);
    this.writer.releaseTo(mark);
    if (this.writer.hasTooManyRegisters && !this.hadTooMany) {
      this.hadTooMany = true;
      const { registers_max } = lab_limits;
      this.errors.add(
        node.named,
        `${name} needs ${this.writer.registers} registers for locals and values; at most ${registers_max} are allowed`,
      );
    }
    return [begin, this.writer.place];
  }
  private hadTooMany = false;

  private get mayCall(): boolean {
    return this.compiling === 'client' || this.compiling === 'at_end';
  }

  private readonly ownCall: OwnCall = ({ callee, given, from, to }) => {
    const number = lab_functions.findIndex((name) => name === callee.name);
    const called = lab_functions[number];
    if (!this.mayCall || called === undefined || called === 'client' || called === 'at_end') {
      this.errors.add(
        { from, to },
        `${callee.name}() cannot be called in ${this.compiling}: only client and at_end call, and only enter, exit, enter_shared and exit_shared`,
      );
      return false;
    }
    if (!this.functions.has(called)) this.errors.add({ from, to }, `this latch has no ${called}`);
    if (given.length > 0)
      this.errors.add(
        { from, to },
        `${called} takes no arguments, got ${given.length}: write ${called}()`,
        `${called}()`,
      );
    this.writer.write('call', { immediate: number });
    return true;
  };

  private checkLimits(): void {
    const { instructions_max } = lab_limits;
    const { place } = this.writer;
    if (place > instructions_max)
      this.errors.add(
        { from: this.end, to: this.end },
        `a latch has at most ${instructions_max} instructions; this one has ${place}`,
      );
  }
}
