// Compiles the latches that statements take.
import { script_limits, script_registers } from '../../contract/workload-operations.ts';
import type { ScriptHold } from '../../contract/workload-program.ts';
import type { Errors } from '../latch-language/lab-error.ts';
import type { HoldNode, Indexed, Named, NameUse, Place } from '../latch-language/syntax-tree.ts';
import type { LatchSymbol } from './declared-names.ts';
import type { WorkloadExpressions } from './expressions.ts';
import type { NamesInBody } from './names-in-body.ts';

/** The parts of a program to which bodies add. */
export interface ProgramParts {
  names: string[];
  holds: ScriptHold[];
}

/** Returns the number of a part's name. */
export function numberOfName(errors: Errors, { names }: ProgramParts, { name, ...place }: Named): number {
  const known = names.indexOf(name);
  if (known >= 0) return known;
  if (names.length === script_limits.names_max)
    errors.add(place, `a workload has at most ${script_limits.names_max} named parts`);
  return names.push(name) - 1;
}

export class LatchHolds {
  constructor(
    private readonly errors: Errors,
    private readonly names: NamesInBody,
    private readonly parts: ProgramParts,
    private readonly expressions: WorkloadExpressions,
  ) {}

  /** Returns the operand that names the hold and the register of the latch's number. */
  operand({ kind, mode, latch: use, ...place }: HoldNode, site: string): number {
    const name = use.kind === 'name' ? use : use.name;
    const latch = this.latchCalled(name);
    if (latch === undefined) return script_registers.no_index << 16;
    const isShared = mode.name === 'shared';
    if (isShared && latch.neverShared !== undefined)
      this.errors.add(
        mode,
        `${name.name} may be ${latch.neverShared}, which no one shares: write hold`,
        'hold',
      );
    if (kind === 'try' && latch.neverTried !== undefined)
      this.errors.add(
        { from: place.from, to: place.from + kind.length },
        `${name.name} may be ${latch.neverTried}, which cannot be tried: write ${mode.name}`,
      );
    const hold = this.holdNumber(latch.number, isShared, { ...mode, name: site });
    return hold | (this.indexOf(use, latch) << 16);
  }

  private latchCalled(name: NameUse): LatchSymbol | undefined {
    const symbol = this.names.global(name.name);
    if (symbol?.kind === 'latch') return symbol;
    if (symbol?.kind === 'queue' || symbol?.kind === 'barrier') {
      this.errors.add(name, `${name.name} is a ${symbol.kind}, which takes its latch itself`);
      return undefined;
    }
    this.names.globals.unknown(name, 'a latch', this.names.globals.namesOf('latch'));
    return undefined;
  }

  private indexOf(use: NameUse | Indexed, { elements, isArray }: LatchSymbol): number {
    if (use.kind === 'name') {
      if (isArray)
        this.errors.add(
          use,
          `${use.name} has ${elements} latches: name one, such as ${use.name}[0]`,
          `${use.name}[0]`,
        );
      return script_registers.no_index;
    }
    if (!isArray) {
      this.errors.add(use, `${use.name.name} is a single latch: it has no elements`, use.name.name);
      return script_registers.no_index;
    }
    const constant = this.names.constant(use.index);
    if (constant?.type === 'uint' && constant.value >= BigInt(elements))
      this.errors.add(use.index, `${use.name.name} has ${elements} latches: 0 to ${elements - 1}`);
    return this.expressions.valueOf('uint', 'the number of a latch is', use.index);
  }

  private holdNumber(latch: number, shared: boolean, siteName: Named): number {
    const { holds } = this.parts;
    const place: Place = { from: siteName.from, to: siteName.to };
    const site = numberOfName(this.errors, this.parts, siteName);
    const known = holds.findIndex(
      (hold) => hold.latch === latch && hold.shared === shared && hold.site === site,
    );
    if (known >= 0) return known;
    const sites = new Set(holds.map((hold) => `${hold.latch} ${hold.site}`)).add(`${latch} ${site}`);
    if (sites.size === script_limits.sites_max + 1)
      this.errors.add(place, `at most ${script_limits.sites_max} pairs of a latch and a part that takes it`);
    if (holds.length === script_limits.holds_max)
      this.errors.add(place, `a workload takes latches at most ${script_limits.holds_max} places`);
    return holds.push({ latch, shared, site }) - 1;
  }
}
