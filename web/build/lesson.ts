// Reads a scenario's lesson.md (docs/guide/writing-lessons.md) and reports all its faults with
// their lines.
import { Marked, type Token, type Tokens } from 'marked';

import type {
  ChosenTransaction,
  Lesson,
  LessonBlock,
  LessonChoice,
  LessonTask,
  LessonPlace,
  LessonQuestion,
  LessonStep,
} from '../contract/lesson';
import { lesson_paces, lesson_places } from '../contract/lesson.ts';
import type { Fault } from '../contract/fault';
import type { Manifest } from '../contract/manifest';
import { all_platforms } from '../contract/platforms.ts';
import { DURATION_S, RUN_SPEC_VERSION } from '../contract/run-spec-fields.ts';
import {
  inputOfPairs,
  isPairKey,
  pair_keys_in_words,
  pairErrors,
  pairOfField,
  type Pair,
} from '../contract/run-spec-pairs.ts';
import { parseRunSpecOf } from '../contract/run-spec-rules.ts';
import { oneOf } from '../contract/schema-parts.ts';
import type { Servers } from '../contract/servers-file';
import { foreignParts } from './foreign-markdown.ts';

const directives = ['question', 'do', 'look', 'picture', 'walk'];
const runCommands = ['run.stop', 'run.pause', 'run.resume'];

/** Faults of a lesson, one per line: file, line, value, and the allowed values. */
export class LessonError extends Error {}

interface LineFault {
  line: number;
  value: string;
  allowed: string;
}

interface Line {
  text: string;
  line: number;
}

/** @param file named in errors */
export function parseLesson(text: string, file: string, manifest: Manifest, servers: Servers): Lesson {
  const reader = new LessonReader(manifest, servers);
  const lesson = reader.read(text);
  if (reader.faults.length === 0) return lesson;
  throw new LessonError(
    reader.faults
      .sort((a, b) => a.line - b.line)
      .map(({ line, value, allowed }) => `${file}:${line}: ${value}; allowed: ${allowed}`)
      .join('\n'),
  );
}

class LessonReader {
  readonly faults: LineFault[] = [];
  readonly #manifest: Manifest;
  readonly #servers: Servers;
  readonly #marked = new Marked();
  #title: string | null = null;
  readonly #steps: LessonStep[] = [];
  /** Prose that does not belong to a block yet. */
  #prose: Token[] = [];
  #hasRun = false;
  #hasExplained = false;

  constructor(manifest: Manifest, servers: Servers) {
    this.#manifest = manifest;
    this.#servers = servers;
  }

  read(text: string): Lesson {
    const tokens = this.#marked.lexer(text);
    let line = 1;
    for (const token of tokens) {
      this.#refuseForeign(token, line);
      this.#take(token, line);
      line += newlinesIn(token.raw);
    }
    this.#endProse();
    if (this.#title === null)
      this.#refuse(1, 'no title', 'one line "# Title" before the first step, at the beginning');
    if (this.#steps.length < 2) {
      this.#refuse(line, `${this.#steps.length} steps`, 'at least two, each under a line "## Title"');
    }
    return { title: this.#title ?? '', steps: this.#steps };
  }

  #take(token: Token, line: number): void {
    if (isHeading(token) && token.depth <= 2) {
      this.#takeHeading(token, line);
    } else if (this.#title !== null && this.#steps.length === 0 && token.type !== 'space') {
      this.#refuse(line, quote(token.raw), 'a line "## Title" before the first text');
    } else if (isCode(token)) {
      this.#takeDirective(token, line);
    } else {
      this.#prose.push(token);
    }
  }

  #takeHeading({ depth, text }: Tokens.Heading, line: number): void {
    this.#endProse();
    if (depth === 2) {
      if (this.#title === null) this.#refuse(line, quote(text), 'the line "# Title" first');
      this.#steps.push({ title: text, blocks: [] });
    } else if (this.#title === null && this.#steps.length === 0) {
      this.#title = text;
    } else {
      this.#refuse(line, quote(text), 'one line "# Title", at the beginning');
    }
  }

  #takeDirective({ lang = '', text }: Tokens.Code, line: number): void {
    const [name = '', ...rest] = lang.split(' ');
    const argument = rest.join(' ').trim();
    const lines = text.split('\n').map((content, index) => ({ text: content, line: line + 1 + index }));
    if (!directives.includes(name)) {
      this.#refuse(line, `a block of ${quote(name)}`, `one of ${directives.join(', ')}`);
      return;
    }
    this.#endProse();
    if (name === 'question') this.#add({ kind: 'question', ...this.#question(lines, line) });
    if (name === 'do') this.#add({ kind: 'do', ...this.#task(argument, lines, line) });
    if (name === 'look') this.#addLook(argument, lines, line);
    if (name === 'picture') this.#addPicture(argument, lines, line);
    if (name === 'walk') this.#addWalk(argument, lines, line);
  }

  #addLook(place: string, lines: Line[], line: number): void {
    if (!isPlace(place)) {
      this.#refuse(line, `look ${quote(place)}`, `one of ${lesson_places.join(', ')}`);
      return;
    }
    this.#add({ kind: 'look', place, html: this.#inline(lines) });
  }

  #addPicture(argument: string, lines: Line[], line: number): void {
    if (argument !== '') this.#refuse(line, `picture ${quote(argument)}`, 'nothing: a bug has one picture');
    this.#addOnce('picture', 'what to look at in it', lines, line);
  }

  #addWalk(argument: string, lines: Line[], line: number): void {
    const allowed = 'nothing: it shows the explained transaction';
    if (argument !== '') this.#refuse(line, `walk ${quote(argument)}`, allowed);
    if (!this.#hasExplained) this.#refuse(line, 'walk', 'only after a do that explains a transaction');
    this.#addOnce('walk', 'what to look for in it', lines, line);
  }

  /** Adds a block with text; a step may have at most one of each kind. */
  #addOnce(kind: 'picture' | 'walk', textIs: string, lines: Line[], line: number): void {
    if (lines.every(({ text }) => text.trim() === '')) {
      this.#refuse(line, `a ${kind} without a text`, textIs);
    }
    if (this.#steps.at(-1)?.blocks.some((block) => block.kind === kind)) {
      this.#refuse(line, `a second ${kind}`, 'one for each step');
    }
    this.#add({ kind, html: this.#inline(lines) });
  }

  #question(lines: Line[], line: number): LessonQuestion {
    const first = lines.findIndex(({ text }) => text.startsWith('- '));
    const asked = first < 0 ? lines : lines.slice(0, first);
    const choices = first < 0 ? [] : this.#choices(lines.slice(first));
    const right = choices.filter(({ is_right }) => is_right).length;
    if (this.#steps.at(-1)?.blocks.some(({ kind }) => kind === 'question')) {
      this.#refuse(line, 'a second question', 'one for each step');
    }
    if (asked.every(({ text }) => text.trim() === '')) {
      this.#refuse(line, 'no question', 'the question before its choices');
    }
    if (choices.length < 2) this.#refuse(line, `${choices.length} choices`, 'at least two');
    if (right !== 1) this.#refuse(line, `${right} right choices`, 'one, written "- [x] …"');
    return { html: this.#inline(asked), choices };
  }

  /**
   * Reads choices: a line "- [ ] choice" or "- [x] choice", and below it, indented, why it is wrong
   * or right.
   */
  #choices(lines: Line[]): LessonChoice[] {
    const groups: Line[][] = [];
    for (const line of lines) {
      if (line.text.startsWith('- ')) groups.push([line]);
      else if (line.text.startsWith('  ') || line.text === '') groups.at(-1)!.push(line);
      else this.#refuse(line.line, quote(line.text), 'a choice "- [ ] …", or its reason indented below it');
    }
    return groups.map(([head, ...why]) => {
      const match = /^- \[([ x])\] (.+)$/.exec(head!.text);
      if (match === null) this.#refuse(head!.line, quote(head!.text), '"- [ ] …" or "- [x] …"');
      if (why.every(({ text }) => text.trim() === '')) {
        this.#refuse(head!.line, `${quote(head!.text)} without a reason`, 'a reason, indented below it');
      }
      return {
        html: this.#inline([{ text: match?.[2] ?? '', line: head!.line }]),
        is_right: match?.[1] === 'x',
        why_html: this.#inline(why),
      };
    });
  }

  #task(title: string, lines: Line[], line: number): LessonTask {
    const task: LessonTask = {
      ...{ title, run: null, commands: [], explain: null },
      ...{ pace: null, pause_after_s: null },
    };
    if (title === '') this.#refuse(line, 'do without a title', 'the label of its button after "do"');
    const run: RunPair[] = [];
    for (const each of lines.filter(({ text }) => text.trim() !== '')) this.#taskLine(task, run, each);
    this.#checkRun(run, line);
    if (run.length > 0) task.run = run.map(({ pair }) => pair);
    this.#checkKind(task, line);
    this.#hasRun ||= task.run !== null;
    this.#hasExplained ||= task.explain !== null;
    return task;
  }

  /** A task starts a run, changes the current one, or explains one of its transactions. */
  #checkKind({ title, run, commands, explain, pace, pause_after_s }: LessonTask, line: number): void {
    const kinds = [run !== null, commands.length > 0, explain !== null].filter(Boolean).length;
    const refuse = (allowed: string) => {
      this.#refuse(line, `do ${quote(title)}`, allowed);
    };
    if (kinds !== 1) refuse('either lines "run …", or lines "command …", or one line "explain …"');
    if (kinds === 1 && run === null && !this.#hasRun) {
      refuse('commands only after a do with a run');
    }
    if (explain !== null && (pace !== null || pause_after_s !== null)) {
      refuse('no pace or pause_after_s: explain does not change the run');
    }
  }

  #taskLine(task: LessonTask, run: RunPair[], { text, line }: Line): void {
    const [word = '', ...rest] = text.trim().split(/\s+/);
    if (word === 'run') {
      run.push(...rest.map((written) => runPairOf(written, line)));
    } else if (word === 'command' && rest.length === 1) {
      const known = commandIds(this.#manifest);
      if (!known.includes(rest[0]!))
        this.#refuse(line, `command ${quote(rest[0]!)}`, `one of ${known.join(', ')}`);
      task.commands.push(rest[0]!);
    } else if (word === 'explain' && rest.length === 1 && task.explain === null) {
      const chosen = chosenTransaction(rest[0]!);
      if (chosen === null) this.#refuse(line, `explain ${quote(rest[0]!)}`, TRANSACTIONS_IN_WORDS);
      task.explain = chosen ?? { which: 'slowest', window: null };
    } else if (word === 'pace' && rest.length === 1) {
      const known = lesson_paces.find((pace) => pace === rest[0]);
      if (known === undefined)
        this.#refuse(line, `pace ${quote(rest[0]!)}`, `one of ${lesson_paces.join(', ')}`);
      task.pace = known ?? null;
    } else if (word === 'pause_after_s' && rest.length === 1) {
      task.pause_after_s = Number(rest[0]);
      if (!(task.pause_after_s > 0 && task.pause_after_s <= DURATION_S.max)) {
        const allowed = `seconds of run time above 0, up to ${DURATION_S.max}`;
        this.#refuse(line, `pause_after_s ${quote(rest[0]!)}`, allowed);
      }
    } else {
      const allowed = 'run key=value …, command id, explain which (once), pace id, pause_after_s seconds';
      this.#refuse(line, quote(text), allowed);
    }
  }

  /** Checks that the page can run it, by the rules of run specs. `line` is the line of the task. */
  #checkRun(run: RunPair[], line: number): void {
    const pairs = run.map(({ pair }) => pair);
    const lineOf = (pair: Pair | undefined) => run.find((known) => known.pair === pair);
    const refused = run.filter(({ pair: [key] }) => !isPairKey(key) || key === 'scenario');
    for (const { written, line: at } of refused) {
      this.#refuse(
        at,
        `run ${quote(written)}`,
        oneOf(pair_keys_in_words.filter((key) => key !== 'scenario')),
      );
    }
    const errors = refused.length > 0 ? [] : runErrors(pairs, this.#manifest, this.#servers);
    for (const { field, value, allowed } of errors) {
      const at = lineOf(pairOfField(field, pairs));
      const found = at === undefined ? `run ${field}=${value}` : `run ${quote(at.written)}`;
      this.#refuse(at?.line ?? line, found, `${field}: ${allowed}`);
    }
  }

  #add(block: LessonBlock): void {
    this.#steps.at(-1)?.blocks.push(block);
  }

  #endProse(): void {
    const prose = this.#prose.filter(({ type }) => type !== 'space');
    this.#prose = [];
    if (prose.length > 0) this.#add({ kind: 'prose', html: this.#marked.parser(prose) });
  }

  #inline(lines: Line[]): string {
    const text = lines
      .map((line) => line.text.trim())
      .join(' ')
      .trim();
    const firstLine = lines[0]?.line ?? 1;
    for (const token of this.#marked.lexer(text)) this.#refuseForeign(token, firstLine);
    return this.#marked.parseInline(text, { async: false });
  }

  #refuseForeign(token: Token, line: number): void {
    for (const { raw, allowed } of foreignParts(this.#marked, [token]))
      this.#refuse(line, quote(raw), allowed);
  }

  #refuse(line: number, value: string, allowed: string): void {
    this.faults.push({ line, value, allowed });
  }
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';
const isCode = (token: Token): token is Tokens.Code => token.type === 'code';
const isPlace = (text: string): text is LessonPlace => (lesson_places as readonly string[]).includes(text);
const newlinesIn = (text: string) => text.split('\n').length - 1;
const quote = (text: string) => `"${text.split('\n')[0]!.slice(0, 60)}"`;

const TRANSACTIONS_IN_WORDS =
  'slowest or p99, optionally with @FROM-TO: transactions that ended after FROM, up to TO, in seconds of run time';

function chosenTransaction(text: string): ChosenTransaction | null {
  const match = /^(slowest|p99)(?:@(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?))?$/.exec(text);
  if (match === null) return null;
  const which = match[1] as ChosenTransaction['which'];
  if (match[2] === undefined) return { which, window: null };
  const window = { from_s: Number(match[2]), to_s: Number(match[3]) };
  return window.from_s < window.to_s && window.to_s <= DURATION_S.max ? { which, window } : null;
}

function commandIds({ designs, knobs, actions }: Manifest): string[] {
  return [
    ...Object.keys(designs).map((name) => `design.${name}`),
    ...knobs.flatMap(({ id, variants }) => variants.map((variant) => `knob.${id}.${variant.id}`)),
    ...actions.map(({ id }) => `action.${id}`),
    ...runCommands,
  ];
}

/** One pair of a run, and its position. */
interface RunPair {
  pair: [key: string, value: string];
  written: string;
  line: number;
}

function runPairOf(written: string, line: number): RunPair {
  const at = written.indexOf('=');
  const pair: RunPair['pair'] = at < 0 ? [written, ''] : [written.slice(0, at), written.slice(at + 1)];
  return { pair, written, line };
}

/**
 * Returns faults for a machine with all platforms, because only the page knows the reader's
 * platforms.
 */
function runErrors(pairs: readonly Pair[], manifest: Manifest, servers: Servers): Fault[] {
  const errors = pairErrors(pairs, manifest);
  if (errors.length > 0) return errors;
  const input = { version: RUN_SPEC_VERSION, scenario: manifest.id, ...inputOfPairs(pairs) };
  const machine = { cores: 1, platforms: all_platforms };
  const parsed = parseRunSpecOf(input, { manifests: [manifest], servers, machine });
  return parsed.ok ? [] : parsed.errors;
}
