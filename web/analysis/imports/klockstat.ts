// Reads tables of bcc: klockstat times locks of the kernel, and ulockstat mutexes of a program. Each
// has a table of waits and one of holds.
import { frameName, UNKNOWN_FRAME } from './frame-name';
import { plainCount, plainNumber } from './plain-number';
import {
  ImportRefused,
  requireFewer,
  type Imported,
  type ImportForm,
  type ImportReader,
  type LatchTime,
} from './reader';

/** Both programs of that name: bcc's tools/ prints nanoseconds, its libbpf-tools/ times with units. */
export const klockstat: ImportForm = {
  id: 'klockstat',
  title: 'tables of klockstat',
  recognizes: (head) => head.some((text) => headingOf(text)?.program === 'klockstat'),
  open: () => new LockTables('klockstat'),
};

export const ulockstat: ImportForm = {
  id: 'ulockstat',
  title: 'tables of ulockstat',
  recognizes: (head) => head.some((text) => headingOf(text)?.program === 'ulockstat'),
  open: () => new LockTables('ulockstat'),
};

type Program = 'klockstat' | 'ulockstat';

interface Heading {
  program: Program;
  what: LatchTime['what'];
  byThread: boolean;
  /** klockstat of tools/ forgets its counts after each interval. The others may add them up. */
  countsAnew: boolean;
}

const HEADING =
  /^(Caller|Tid +Comm|PID +Mutex \(hex\)) +(?:Avg|Average) (?:Spin|Wait|(Hold)) +Count +(Max (?:[Ss]pin|[Ww]ait|[Hh]old)) +Total (?:[Ss]pin|[Ww]ait|[Hh]old)$/;
const LINE_MAX = 1000;
const RULE = /^-+$/;
/** klockstat -s of libbpf-tools prints this below each stack. */
const LONGEST = 'Max PID ';
const STARTS_WITH_DIGIT = /^\d/;
const PID = /^\d+$/;
const HEX = /^[0-9a-f]{1,16}$/;
const STACK_LINE = /^[\w.$<~?[][^ ]*$|\+0x[0-9a-f]{1,16}(?: \[[^\]]*\])?$|^\[[^\]]*\]$/;
const NS_PER_UNIT: ReadonlyMap<string, number> = new Map([
  ['ns', 1],
  ['us', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);
/** Of times without unit. */
const NS_PER_NUMBER: Record<Program, number> = { klockstat: 1, ulockstat: 1e3 };

function headingOf(text: string): Heading | null {
  const found = text.length > LINE_MAX ? null : HEADING.exec(text.trim());
  if (found === null) return null;
  const [, first, hold, longest] = found;
  return {
    program: first!.startsWith('PID') ? 'ulockstat' : 'klockstat',
    what: hold === undefined ? 'wait' : 'hold',
    byThread: first!.startsWith('Tid'),
    countsAnew: longest === 'Max spin' || longest === 'Max hold',
  };
}

/** A row of a table, with the lines of its stack so far. */
interface OpenRow {
  line: number;
  what: LatchTime['what'];
  caller: string;
  stack: string[];
  count: number;
  totalNs: number;
  maxNs: number;
}

class LockTables implements ImportReader {
  readonly #program: Program;
  readonly #times = new Map<string, LatchTime>();
  #heading: Heading | null = null;
  /** What the last table was about. */
  #last: LatchTime['what'] | null = null;
  #row: OpenRow | null = null;
  /** The last row ended with its longest wait, so the same heading comes again for the next row. */
  #rowHadLongest = false;

  constructor(program: Program) {
    this.#program = program;
  }

  line(text: string, number: number) {
    const line = text.trim();
    const heading = headingOf(line);
    if (heading !== null) {
      this.#begin(heading, line, number);
    } else if (line === '') {
      this.#endTable();
    } else if (this.#heading !== null && !RULE.test(line)) {
      this.#inTable(this.#heading, line, number);
    }
  }

  end(lines: number): Imported[] {
    this.#endTable();
    if (this.#times.size === 0)
      throw new ImportRefused(lines, 'the end of the text', 'a row below a heading');
    return [{ kind: 'times', rows: [...this.#times.values()] }];
  }

  #begin(heading: Heading, line: string, number: number) {
    if (heading.byThread)
      throw new ImportRefused(number, 'a table by thread', 'tables by caller, without -P');
    if (heading.program !== this.#program)
      throw new ImportRefused(number, line, `tables of ${this.#program}`);
    this.#endTable();
    const beginsInterval =
      (heading.what === 'wait' && this.#last === 'hold') ||
      (heading.what === this.#last && !this.#rowHadLongest);
    if (beginsInterval && !heading.countsAnew) this.#times.clear();
    this.#heading = heading;
    this.#last = heading.what;
  }

  #inTable({ what }: Heading, line: string, number: number) {
    if (line.length > LINE_MAX) throw new ImportRefused(number, line, 'a row of a table');
    if (line.startsWith(LONGEST)) {
      this.#endTable();
      this.#rowHadLongest = true;
      return;
    }
    const words = line.split(/\s+/);
    const isRow =
      this.#program === 'ulockstat'
        ? PID.test(words[0]!)
        : words.slice(1).some((word) => STARTS_WITH_DIGIT.test(word));
    if (isRow) {
      this.#endRow();
      this.#row =
        this.#program === 'ulockstat' ? mutexRow(what, words, number) : callerRow(what, words, number);
      this.#rowHadLongest = false;
    } else if (STACK_LINE.test(line) && this.#row !== null) {
      this.#row.stack.push(line);
    } else {
      this.#endTable();
    }
  }

  #endTable() {
    this.#endRow();
    this.#heading = null;
  }

  #endRow() {
    if (this.#row === null) return;
    const { line, what, caller, stack, count, totalNs, maxNs } = this.#row;
    this.#row = null;
    const frames =
      this.#program === 'ulockstat' ? stack : [caller, ...stack.slice(stack[0] === caller ? 1 : 0)];
    const known = frames.map((frame) => frameName(frame, line));
    const names = known.some((name) => name !== UNKNOWN_FRAME) ? known : [caller];
    const key = [what, ...names].join('\n');
    const before = this.#times.get(key);
    if (before === undefined) {
      requireFewer(this.#times.size, line);
      this.#times.set(key, { line, what, frames: names, count, totalNs, maxNs });
    } else {
      before.count += count;
      before.totalNs += totalNs;
      before.maxNs = Math.max(before.maxNs ?? 0, maxNs);
    }
  }
}

const ROW_WORDS = 5;

/** The mean, the count, the longest and the whole time end a row. The mean follows from the others. */
function timesOf(words: string[], line: number, nsPerNumber: number) {
  const totalNs = takeTime(words, line, nsPerNumber);
  const maxNs = takeTime(words, line, nsPerNumber);
  const count = plainCount(words.pop() ?? '', line);
  takeTime(words, line, nsPerNumber);
  return { count, totalNs, maxNs };
}

/** Removes a time, and its unit if it has one, from the end of a row. */
function takeTime(words: string[], line: number, nsPerNumber: number): number {
  const last = words.pop() ?? '';
  const nsPerUnit = NS_PER_UNIT.get(last);
  const number = plainNumber(nsPerUnit === undefined ? last : (words.pop() ?? ''), line);
  return Math.round(number * (nsPerUnit ?? nsPerNumber));
}

function callerRow(what: LatchTime['what'], words: string[], line: number): OpenRow {
  if (words.length < ROW_WORDS) {
    throw new ImportRefused(
      line,
      words.join(' '),
      'a caller, the mean, the count, the longest and whole time',
    );
  }
  const times = timesOf(words, line, NS_PER_NUMBER.klockstat);
  return { line, what, caller: words.join(' '), stack: [], ...times };
}

function mutexRow(what: LatchTime['what'], words: string[], line: number): OpenRow {
  const times = timesOf(words, line, NS_PER_NUMBER.ulockstat);
  const mutex = words[1] ?? '';
  if (words.length !== 2 || !HEX.test(mutex)) {
    throw new ImportRefused(line, words.join(' '), 'a process and the address of a mutex');
  }
  return { line, what, caller: `mutex 0x${mutex}`, stack: [], ...times };
}
