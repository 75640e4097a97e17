// Declares queues and barriers. Each is a latch, words, and functions in the language itself. A call
// inserts its function, as it does with those of the file.
import { script_limits } from '../../contract/workload-operations.ts';
import { parser } from '../latch-language/latch-parser.ts';
import { readWorkloadTree } from '../latch-language/read-tree.ts';
import type {
  Expression,
  Named,
  OwnFunctionNode,
  Place,
  WordNode,
  WorkloadPart,
} from '../latch-language/syntax-tree.ts';
import type { FunctionSymbol } from './functions.ts';

export interface QueueSymbol {
  kind: 'queue' | 'barrier';
  name: string;
  /** What the names in its functions mean: those of the program, and values. */
  names: ReadonlyMap<string, string | Expression>;
}

// Both count in user space who waits, as the C library does, so that they wake only those who sleep.
const SEND = `
void send(uint value) {
  hold mutex {
    while (load(sent) - load(received) >= capacity) {
      store(senders, load(senders) + 1);
      wait(receives);
      store(senders, load(senders) - 1);
    }
    store(slots[load(sent) % length], value);
    fetch_add(sent, 1);
    if (load(receivers) != 0) futex_wake(sent, 1);
  }
}`;

const RECEIVE = `
uint receive() {
  hold mutex {
    while (load(sent) == load(received)) {
      store(receivers, load(receivers) + 1);
      wait(sends);
      store(receivers, load(receivers) - 1);
    }
    uint value = load(slots[load(received) % length]);
    fetch_add(received, 1);
    if (load(senders) != 0) futex_wake(received, 1);
    return value;
  }
}`;

const NEXT_TURN = 'store(arrived, 0); fetch_add(turns, 1); futex_wake(turns, 0xffffffff);';

const AWAIT = `
void await() {
  hold mutex {
    uint turn = load(turns);
    uint number = load(arrived) + 1;
    if (number >= expected) {
      ${NEXT_TURN}
    } else {
      store(arrived, number);
      while (load(turns) == turn) wait(next_turn);
    }
  }
}`;

const LIBRARY = SEND + RECEIVE + AWAIT;

/** The calls of queues and barriers, and what they are for. */
export const callsOf = { queue: ['send', 'receive'], barrier: ['await'] } as const;

type Library = ReadonlyMap<string, OwnFunctionNode>;
let library: Library | undefined;
const functionsOfLibrary = (): Library =>
  (library ??= new Map(
    readWorkloadTree(parser.configure({ top: 'Workload' }).parse(LIBRARY), LIBRARY)
      .filter((part): part is OwnFunctionNode => part.kind === 'function')
      .map((node) => [node.named.name, node]),
  ));

/** Returns the function of a queue or a barrier, as if it were written at the place of its call. */
export function functionAt({ names }: QueueSymbol, callee: string, place: Place): FunctionSymbol {
  const node = placed(functionsOfLibrary().get(callee)!, place, names);
  return {
    ...{ kind: 'function', name: callee, isWrong: false, isOfLanguage: true, body: node.body },
    returns: node.type.name === 'void' ? undefined : 'uint',
    taken: node.taken.map(({ named }) => ({ named, type: 'uint' })),
  };
}

/** Copies a part of a tree to another place, and replaces names. */
function placed<Part>(part: Part, place: Place, names: QueueSymbol['names']): Part {
  if (Array.isArray(part)) return part.map((one: unknown) => placed(one, place, names)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const copy: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(part)) copy[field] = placed(value, place, names);
  if ('from' in copy) Object.assign(copy, { from: place.from, to: place.to });
  const { kind, name } = copy;
  const meant = kind === 'name' ? names.get(name as string) : undefined;
  if (typeof meant === 'object') return placed(meant, place, new Map()) as Part;
  return (meant === undefined ? copy : { ...copy, name: meant }) as Part;
}

/** What the declarations around it provide. */
interface SynchronizationHost {
  addWords: (words: readonly WordNode[], onOneLine: boolean) => void;
  /** Makes a declared word known under another name. */
  rename: (from: string, to: string) => void;
  /** Makes a word known as a condition, too. */
  asCondition: (word: string, condition: string) => void;
  addMutex: (named: Named, symbolName: string) => void;
  checkLength: (named: Named, most: number) => void;
  declare: (named: Named, symbol: QueueSymbol) => void;
}

/** Of the names of its words, beside its own. */
const SUFFIX_MAX = '_receivers'.length;

type Declared = Extract<WorkloadPart, { kind: 'queue' | 'barrier' }>;

/**
 * Declares the latch and the words of a queue of at most `length` numbers. `capacity` is its length in
 * a run. Threads that wait for a number or for room appear as waits for `jobs_empty` and `jobs_full`.
 */
export function declareQueue(
  host: SynchronizationHost,
  { named }: Declared,
  { length, capacity }: { length: number; capacity: Expression },
): void {
  const parts = new SynchronizationParts(host, named);
  parts.addLine({ sent: 'empty', received: 'full', receivers: 'receivers', senders: 'senders' });
  parts.addArray('slots', length);
  parts.addCondition('sent', 'sends');
  parts.addCondition('received', 'receives');
  parts.declare('queue', { length: numberAt(named, length), capacity });
}

/** Declares a barrier. Threads that wait for the others appear as waits for `all_in_incomplete`. */
export function declareBarrier(
  host: SynchronizationHost,
  { named }: Declared,
  { expected }: { expected: Expression },
): void {
  const parts = new SynchronizationParts(host, named);
  parts.addLine({ turns: 'incomplete', arrived: 'arrived' });
  parts.addCondition('turns', 'next_turn');
  parts.declare('barrier', { expected });
}

const numberAt = ({ from, to }: Place, value: number): Expression => ({
  ...{ kind: 'number', text: value.toString() },
  ...{ from, to },
});

class SynchronizationParts {
  private readonly names = new Map<string, string | Expression>();

  constructor(
    private readonly host: SynchronizationHost,
    private readonly named: Named,
  ) {}

  private wordNode(suffix: string, length?: number): WordNode {
    const { from, to, name } = this.named;
    return {
      ...{ kind: 'word', ofThreads: false, from, to },
      named: { from, to, name: `${name}_${suffix}` },
      size: length === undefined ? undefined : numberAt(this.named, length),
      initial: undefined,
    };
  }

  /** Adds words on one line, by their names in the library. */
  addLine(words: Readonly<Record<string, string>>): void {
    this.host.addWords(
      Object.values(words).map((suffix) => this.wordNode(suffix)),
      true,
    );
    for (const [name, suffix] of Object.entries(words)) this.rename(suffix, name);
  }

  addArray(name: string, length: number): void {
    this.host.addWords([this.wordNode(name, length)], false);
    this.rename(name, name);
  }

  /** Hides a word from the file: no name of the file has a space. */
  private rename(suffix: string, name: string): void {
    const hidden = `${this.named.name} ${name}`;
    this.host.rename(`${this.named.name}_${suffix}`, hidden);
    this.names.set(name, hidden);
  }

  addCondition(word: string, name: string): void {
    const hidden = `${this.named.name} ${name}`;
    this.host.asCondition(`${this.named.name} ${word}`, hidden);
    this.names.set(name, hidden);
  }

  declare(kind: QueueSymbol['kind'], values: Readonly<Record<string, Expression>>): void {
    const { name } = this.named;
    const mutex = `${name} mutex`;
    this.names.set('mutex', mutex);
    for (const [value, expression] of Object.entries(values)) this.names.set(value, expression);
    this.host.declare(this.named, { kind, name, names: this.names });
    this.host.checkLength(this.named, script_limits.name_length_max - SUFFIX_MAX);
    this.host.addMutex(this.named, mutex);
  }
}
