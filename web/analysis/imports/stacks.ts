// Reads stacks of threads: a debugger's list of all threads, the summary of pt-pmp, folded stacks.
import type { FoldedStack } from '../../contract/live-view';
import { frameName } from './frame-name';
import { plainCount, plainNumber } from './plain-number';
import { ImportRefused, requireFewer, type Imported, type ImportForm, type ImportReader } from './reader';

/** Output of `thread apply all bt` in gdb, of pstack, and of eu-stack. */
export const debuggerStacks: ImportForm = {
  id: 'thread_stacks',
  title: 'stacks of all threads, as gdb prints them',
  recognizes: (head) => head.some((text) => isThreadHeading(text) || FIRST_FRAME.test(text)),
  open: () => new DebuggerReader(),
};

/** Output of pt-pmp, and of a debugger's list through `sort | uniq -c`. */
export const countedStacks: ImportForm = {
  id: 'pt_pmp',
  title: 'stacks counted by pt-pmp',
  recognizes: (head) => {
    const lines = firstLines(head.filter((text) => !isDate(text)));
    return COUNTED.test(lines[0] ?? '') && lines.some((text) => COUNTED.test(text) && text.includes(','));
  },
  open: () => new CountedReader(),
};

/** What `stackcollapse` programs write for a flame graph. */
export const foldedStacks: ImportForm = {
  id: 'folded_stacks',
  title: 'folded stacks',
  recognizes: (head) => {
    const lines = firstLines(head);
    return FOLDED.test(lines[0] ?? '') && lines.some(isFolded);
  },
  open: () => new FoldedReader(),
};

const FIRST_FRAME = /^#0\s+0x[0-9a-f]{1,16} /;
const FRAME = /^#(\d{1,7})\s+(?:0x[0-9a-f]{1,16}\s+(?:in\s+)?)?/;
const THREAD = /^(?:Thread|TID) \d{1,10}[ :]/;
const COUNTED = /^ *\d{1,15} +[^\s\d,][^\s]*$/;
const DATE = /\b\d\d:\d\d:\d\d\b/;
const FOLDED = /^[^\s;].* \d{1,15}(?:\.\d{1,30})?$/;
const NUMBERS = /^[\d\s.,]*$/;
const LAST_WORD_IS_NUMBER = / \d{1,15}(?:\.\d{1,30})?$/;
const LINES_TO_RECOGNIZE = 10;
const DATE_MAX = 80;
/** Recursion that no server survives. */
const FRAMES_MAX = 100_000;

const firstLines = (head: readonly string[]) =>
  head
    .filter((text) => text.trim() !== '')
    .slice(0, LINES_TO_RECOGNIZE)
    .map((text) => text.trimEnd());

const isThreadHeading = (text: string) => THREAD.test(text) && text.trimEnd().endsWith(':');

const isDate = (text: string) => text.length <= DATE_MAX && DATE.test(text) && !text.includes(',');

const isFolded = (line: string) =>
  line.includes(';') &&
  FOLDED.test(line) &&
  line
    .slice(0, line.lastIndexOf(' '))
    .split(';')
    .every((frame) => !NUMBERS.test(frame));

/** Adds up equal stacks. */
class StackTable {
  readonly #byFrames = new Map<string, FoldedStack>();

  /** `frames` begin with the innermost function. */
  add(frames: string[], count: number, line: number) {
    if (frames.length > FRAMES_MAX) {
      throw new ImportRefused(line, `${frames.length} frames`, `at most ${FRAMES_MAX} frames in a stack`);
    }
    const key = frames.join('\n');
    const stack = this.#byFrames.get(key);
    if (stack === undefined) {
      requireFewer(this.#byFrames.size, line);
      this.#byFrames.set(key, { frames, count });
    } else stack.count += count;
  }

  /** Returns the most frequent stack first. */
  imported(lines: number): Imported[] {
    if (this.#byFrames.size === 0)
      throw new ImportRefused(lines, 'the end of the text', 'at least one stack');
    const stacks = [...this.#byFrames.values()].sort((a, b) => b.count - a.count);
    return [{ kind: 'stacks', stacks }];
  }
}

class DebuggerReader implements ImportReader {
  readonly #table = new StackTable();
  #frames: string[] = [];
  #lastFrame = -1;
  /** Line of a heading without frames yet. */
  #heading: number | null = null;
  #hasHeadings = false;
  /** At its end, a debugger repeats the frame that it selects, without a heading. */
  #isRepeated = false;

  line(text: string, number: number) {
    if (isThreadHeading(text)) {
      this.#endStack(number);
      this.#heading = number;
      this.#hasHeadings = true;
      this.#isRepeated = false;
      return;
    }
    const found = FRAME.exec(text);
    if (found === null) return; // Progress, warnings, rest of a long line, local variables.
    const frame = Number(found[1]);
    if (frame === 0) {
      this.#endStack(number);
      this.#isRepeated = this.#hasHeadings && this.#heading === null;
    }
    if (this.#isRepeated) return;
    if (this.#frames.length === 0 && frame !== 0) {
      throw new ImportRefused(number, `frame ${frame}`, 'a stack that begins with frame 0');
    }
    if (frame <= this.#lastFrame) {
      throw new ImportRefused(
        number,
        `frame ${frame}`,
        `a frame after ${this.#lastFrame}, or the next thread`,
      );
    }
    this.#lastFrame = frame;
    this.#heading = null;
    this.#frames.push(frameName(withoutPlace(text.slice(found[0].length)), number));
  }

  end(lines: number): Imported[] {
    if (this.#heading !== null) {
      throw new ImportRefused(lines, `the end of the thread of line ${this.#heading}`, 'its frames');
    }
    this.#endStack(lines);
    return this.#table.imported(lines);
  }

  #endStack(line: number) {
    if (this.#frames.length > 0) this.#table.add(this.#frames, 1, line);
    this.#frames = [];
    this.#lastFrame = -1;
  }
}

/** Drops the source file or library, whose separator depends on the program. */
function withoutPlace(text: string): string {
  let end = text.length;
  for (const separator of [' at ', ' from ', ' - ']) {
    const at = text.indexOf(separator);
    if (at > 0 && at < end) end = at;
  }
  return text.slice(0, end);
}

class CountedReader implements ImportReader {
  readonly #table = new StackTable();

  line(text: string, number: number) {
    const line = text.trim();
    if (line === '' || isDate(line)) return;
    const space = line.indexOf(' ');
    if (space < 0) throw new ImportRefused(number, line, 'a count and functions, innermost first');
    const count = plainCount(line.slice(0, space), number);
    const frames = splitFrames(line.slice(space + 1).trim()).map((frame) => frameName(frame, number));
    if (count > 0) this.#table.add(frames, count, number);
  }

  end(lines: number): Imported[] {
    return this.#table.imported(lines);
  }
}

/** Arguments of a template that are looked through for its end. */
const TEMPLATE_PARTS_MAX = 8;

/** Arguments' file, or the return type, of a name that was cut. */
const RESTS = /^$|^\(|^(?:void|const)(?:\(|$)/;

/** Splits at commas, but not inside of templates. Leaves out what pt-pmp left of a cut name. */
function splitFrames(text: string): string[] {
  const parts = text.split(',');
  const frames: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    let joined = parts[at]!;
    const opened = openBrackets(joined);
    if (opened === null || RESTS.test(joined)) continue;
    for (let more = 1; opened > 0 && more <= TEMPLATE_PARTS_MAX && at + more < parts.length; more += 1) {
      joined += `,${parts[at + more]!}`;
      if (openBrackets(joined) !== 0) continue;
      at += more;
      break;
    }
    frames.push(openBrackets(joined) === 0 ? joined : parts[at]!);
  }
  return frames;
}

/** Returns the number of brackets without end; null if the text has an end without beginning. */
function openBrackets(text: string): number | null {
  let templates = 0;
  let lists = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '<') templates += 1;
    else if (character === '>' && text[at - 1] !== '-') templates -= 1;
    else if (character === '(') lists += 1;
    else if (character === ')') lists -= 1;
    if (templates < 0 || lists < 0) return null;
  }
  return templates + lists;
}

class FoldedReader implements ImportReader {
  readonly #table = new StackTable();

  line(text: string, number: number) {
    const line = text.trim();
    if (line === '') return;
    const space = line.lastIndexOf(' ');
    if (space < 0) throw new ImportRefused(number, line, 'functions with semicolons, a space, and a count');
    const count = plainNumber(line.slice(space + 1), number);
    const stack = line.slice(0, space).trimEnd();
    if (LAST_WORD_IS_NUMBER.test(stack.slice(-DATE_MAX))) {
      throw new ImportRefused(number, line.slice(stack.lastIndexOf(' ')).trim(), 'one count for each stack');
    }
    const frames = stack.split(';').filter((frame) => frame !== '' && !SEPARATORS.has(frame));
    if (count > 0 && frames.length > 0) {
      this.#table.add(frames.map((frame) => frameName(frame, number)).reverse(), count, number);
    }
  }

  end(lines: number): Imported[] {
    return this.#table.imported(lines);
  }
}

/** bcc writes them between frames of the kernel and of the program. */
const SEPARATORS: ReadonlySet<string> = new Set(['-', '--']);
