// Resolves kinds of latches: those of the engine, those that the file declares, and latches of the
// lab.
import type { LabProgram } from '../../contract/latch-program.ts';
import { script_latch_kinds, script_limits } from '../../contract/workload-operations.ts';
import type { ScriptKind, ScriptLatchProgram } from '../../contract/workload-program.ts';
import { compile } from '../latch-language/compile.ts';
import { nearestName, type Errors } from '../latch-language/lab-error.ts';
import type { Expression, KindNode, Named, Place } from '../latch-language/syntax-tree.ts';
import { typeInWords, type Value } from './values.ts';

/** The latches of the lab that a workload may name. */
export interface LatchGallery {
  names: readonly string[];
  /** Returns undefined for an unknown name. */
  sourceOf: (name: string) => string | undefined;
}

const LAB_LATCH = 'lab_latch';
/** The kinds of the engine that a file can name. */
export const engineKinds = script_latch_kinds.filter(({ name }) => name !== LAB_LATCH);
const kindNames = engineKinds.map(({ name }) => name);
const engineKind = (name: string) => engineKinds.find((kind) => kind.name === name);

export const isEngineKind = (name: string) => engineKind(name) !== undefined;

/** What the compiler around the kinds provides. */
interface KindsHost {
  /** Returns a number that does not depend on the run; 1 after an error. */
  constant: (expression: Expression) => Value;
  unknown: (use: Named, what: string, known: readonly string[]) => void;
  checkCount: (place: Place, count: number, most: number, what: string) => void;
}

/** A use of a latch that supports a limited number of threads. */
interface LimitedUse {
  place: Place;
  name: string;
  threadsMax: number;
}

const USUAL: ScriptKind = { kind: 'innodb_mutex' };

export class LatchKinds {
  readonly programs: ScriptLatchProgram[] = [];
  private readonly ofFile = new Map<string, number>();
  private readonly ofLab = new Map<string, number>();
  private readonly limitedUses: LimitedUse[] = [];

  constructor(
    private readonly errors: Errors,
    private readonly gallery: LatchGallery,
    private readonly host: KindsHost,
  ) {}

  /** Adds a kind that the file declares. */
  add({ name, ...place }: Named, program: LabProgram): void {
    if (this.ofLab.has(name))
      this.errors.add(place, `the name ${name} is already used for a latch of the lab: choose another name`);
    this.ofFile.set(name, this.addProgram(place, name, program));
  }

  private addProgram(place: Place, name: string, program: LabProgram): number {
    const number = this.programs.push({ name, program }) - 1;
    const { kinds_max } = script_limits;
    this.host.checkCount(place, this.programs.length, kinds_max, 'kinds in the latch language');
    return number;
  }

  /** Reports whether threads can share a latch of this kind. */
  canBeShared({ kind, program }: ScriptKind): boolean {
    if (program === undefined) return engineKind(kind)!.can_be_shared;
    return this.programs[program]!.program.functions.enter_shared !== undefined;
  }

  /** Returns the cache lines of a latch, if it is written in the latch language: those of the largest. */
  mostLines(kinds: readonly ScriptKind[], threads: number): number {
    const lines = kinds.flatMap(({ program }) =>
      program === undefined ? [] : linesOf(this.programs[program]!.program, threads),
    );
    return Math.max(0, ...lines);
  }

  nameOf({ kind, program }: ScriptKind): string {
    return program === undefined ? kind : this.programs[program]!.name;
  }

  /** Reports the latches that are not made for so many threads. */
  checkThreads(threads: number): void {
    for (const { place, name, threadsMax } of this.limitedUses)
      if (threads > threadsMax)
        this.errors.add(place, `${name} is for at most ${threadsMax} threads; this workload has ${threads}`);
  }

  /** Returns the kind that a declaration names. Adds an error if there is none. */
  kind({ expression, quoted, ...place }: KindNode): ScriptKind {
    if (quoted !== undefined) return this.kindOfLab(quoted);
    const name = expression?.kind === 'call' ? expression.callee : expression;
    const text = this.errors.text(place);
    if (this.gallery.names.includes(text) && !this.ofFile.has(text)) {
      this.errors.add(place, `${text} is a latch of the lab: write "${text}"`, `"${text}"`);
      return USUAL;
    }
    if (name?.kind !== 'name') {
      this.errors.add(place, `${text} is no kind of latch: write one of ${this.names.join(', ')}`);
      return USUAL;
    }
    const program = this.ofFile.get(name.name);
    if (program !== undefined) {
      if (expression!.kind === 'call')
        this.errors.add(expression!, `write ${name.name}, without ( )`, name.name);
      return this.used(place, program);
    }
    const known = engineKind(name.name);
    if (known === undefined) {
      this.host.unknown(name, 'a kind of latch', this.names);
      return USUAL;
    }
    return { kind: known.name, ...this.sizeOf(known, expression!) };
  }

  private get names(): string[] {
    return [...this.ofFile.keys(), ...kindNames];
  }

  private kindOfLab({ name, ...place }: Named): ScriptKind {
    const isOfLab = this.gallery.names.includes(name);
    if (this.ofFile.has(name) || (isEngineKind(name) && !isOfLab)) {
      const why = isOfLab ? `the file has its own ${name}` : `"${name}" is no latch of the lab`;
      this.errors.add(place, `${why}: write ${name}, without quotes`, name);
      return USUAL;
    }
    const program = this.ofLab.get(name) ?? this.compiledOfLab(name, place);
    return program === undefined ? USUAL : this.used(place, program);
  }

  private used(place: Place, number: number): ScriptKind {
    const { name, program } = this.programs[number]!;
    if (program.threads_max !== undefined)
      this.limitedUses.push({ place, name, threadsMax: program.threads_max });
    return { kind: LAB_LATCH, program: number };
  }

  /** Returns the place of the lab's latch in `programs`; undefined after an error. */
  private compiledOfLab(name: string, place: Place): number | undefined {
    const { names, sourceOf } = this.gallery;
    const source = sourceOf(name);
    const program = source === undefined ? undefined : compile(source).program;
    if (program === undefined) {
      const meant = nearestName(name, names);
      const what = `"${name}" is not a latch of the lab`;
      if (meant !== undefined) this.errors.add(place, `${what}; did you mean "${meant}"?`, `"${meant}"`);
      else if (names.length === 0) this.errors.add(place, what);
      else this.errors.add(place, `${what}: write one of ${names.map((one) => `"${one}"`).join(', ')}`);
      return undefined;
    }
    const number = this.addProgram(place, name, withoutLines(program));
    this.ofLab.set(name, number);
    return number;
  }

  private sizeOf({ name, has_size }: (typeof script_latch_kinds)[number], expression: Expression) {
    const given = expression.kind === 'call' ? expression.given : [];
    if (!has_size) {
      if (expression.kind === 'call') this.errors.add(expression, `write ${name}, without ( )`, name);
      return {};
    }
    if (given.length !== 1) {
      this.errors.add(expression, `${name} needs one number: write ${name}(8)`, `${name}(8)`);
      return { size: 1 };
    }
    const { type, value } = this.host.constant(given[0]!);
    const size = Number(value);
    if (type !== 'uint') this.errors.add(given[0]!, `${name} takes a number, not ${typeInWords[type]}`);
    else if (size < 1 || size > script_limits.kind_size_max)
      this.errors.add(
        given[0]!,
        `${name} takes a number from 1 to ${script_limits.kind_size_max}, not ${size}`,
      );
    return { size };
  }
}

/** Returns how many cache lines the words of a latch have, as the engine counts them. */
function linesOf({ words }: LabProgram, threads: number): number {
  const lines = new Map<number, number>();
  for (const { line, packed, elements, per_thread } of words) {
    const ofWord = packed ? 1 : elements + (per_thread ? threads : 0);
    lines.set(line, Math.max(lines.get(line) ?? 0, ofWord));
  }
  return [...lines.values()].reduce((sum, one) => sum + one, 0);
}

/** Removes the lines of a source that is not the file's. */
const withoutLines = (program: LabProgram): LabProgram => ({
  ...program,
  words: program.words.map((word) => ({ ...word, source_line: 0 })),
  source_lines: program.source_lines.map(() => 0),
});
