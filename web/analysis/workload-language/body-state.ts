// What the parts of the compiler know of the body that they compile.
import type { ScriptGroup } from '../../contract/workload-program.ts';
import type { Errors } from '../latch-language/lab-error.ts';
import type { Block, Named, Place } from '../latch-language/syntax-tree.ts';
import type { WorkloadDeclarations } from './declarations.ts';
import { numberOfName, type ProgramParts } from './latch-holds.ts';
import type { WorkloadCode } from './workload-code.ts';

/** The body of a group of threads, of an action, or of at_end. */
export interface Body {
  named: Named;
  body: Block;
  /** Absent: again and again. */
  runs?: NonNullable<ScriptGroup['runs']>;
  /** What it belongs to, in messages, if it has no transaction: `an action`. */
  what?: string;
}

/** What a jump out of a statement must end first. */
type Nesting = 'hold' | 'frame';

/** What a body has in common with the functions that its calls insert. */
export interface BodyState {
  errors: Errors;
  globals: WorkloadDeclarations;
  code: WorkloadCode;
  parts: ProgramParts;
  group: Body;
  /** Whether it is a function that nothing has called yet: what calls it is unknown. */
  isAlone: boolean;
  nesting: Nesting[];
  /** Names of the enclosing parts, the innermost last. */
  sites: string[];
  isInTransaction: boolean;
  /** The calls that lead to an inserted function, the innermost last. */
  calledFrom: Place[];
}

/** Returns the place of the enclosing part among the names of the program. */
export const siteOf = ({ errors, parts, sites }: BodyState, place: Place): number =>
  numberOfName(errors, parts, { from: place.from, to: place.to, name: sites.at(-1)! });
