// The page object of latchscope/playwright: window.latchscope from a test, and what tests need
// besides. Errors are one line per fault, without a stack of the page.
import { createHash } from 'node:crypto';

import type { Page } from '@playwright/test';

import type { Fault } from '../../web/contract/fault';
import type { RunResult } from '../../web/contract/run-result';
import type { RunSpec } from '../../web/contract/run-spec-rules';
import type { Automation } from '../../web/shell/automation';
import type { GivenScenario } from './api';

/** A run spec in which everything but the scenario has a default. The platform is `virtual`. */
export type TestRunSpec = GivenScenario &
  Partial<Omit<RunSpec, 'design' | 'scenario' | 'workload'>> & {
    /** A preset such as `fixed`, or variants of some knobs. */
    design?: string | Record<string, string>;
  };

/** Figures of the run at a moment, which the page computes about twice a second. null: unknown. */
export interface Figures {
  /** Transactions per second. */
  tps: number | null;
  /** Operations of the scenario per second, such as block reads. */
  operationsPerS: number | null;
  /** Percentiles of the transactions' latencies. */
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  /** Counters of the run so far, also those that a workload file declares. */
  counters: Record<string, number> | null;
}

export interface FiguresNow {
  figures: Figures;
  /** Run time of these figures, in seconds; null before the first ones. */
  runS: number | null;
  /** Each client has ended a few transactions since the last change of the run. */
  isSettled: boolean;
  isOver: boolean;
}

/** The methods of window.latchscope. */
type Method = {
  [Name in keyof Automation]: Automation[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Automation];

/** A method of window.latchscope as a test calls it. */
type FromTest<Called> = Called extends (...args: infer Args) => infer Returned
  ? (...args: Args) => Promise<Awaited<Returned>>
  : never;

type MethodsFromTest = { [Name in Exclude<Method, 'run' | 'openRun'>]: FromTest<Automation[Name]> };
type LabFromTest = { [Name in keyof Automation['lab']]: FromTest<Automation['lab'][Name]> };

/** The page of a test. It has the methods of window.latchscope; each of them returns a promise. */
export interface Latchscope extends MethodsFromTest {
  readonly page: Page;
  /** The methods of window.latchscope.lab. */
  readonly lab: LabFromTest;
  /**
   * Opens a new page that offers this run, or that shows this link; without a target, the start
   * page. Settles when the engine is ready, and a run that the link starts has begun.
   */
  open: (target?: string | TestRunSpec) => Promise<void>;
  /** Runs a spec to its end. */
  run: (spec: TestRunSpec) => Promise<RunResult>;
  /** Starts the run that the page offers. */
  start: () => Promise<void>;
  /** Gives the current run, and the next one, another design (default: `fixed`). */
  flip: (design?: string) => Promise<void>;
  /** Waits for the end of the run and returns its result. */
  result: () => Promise<RunResult>;
  /**
   * Waits for the end of a run on the virtual server. Returns the SHA-256 of its result as the
   * engine wrote it, which is the same on every machine.
   */
  digest: () => Promise<string>;
  figures: () => Promise<FiguresNow>;
}

/** A request that the page refused. */
export class Refused extends Error {
  override name = 'Refused';
  /** The faults by field; empty if the request named no fields. */
  readonly errors: readonly Fault[];

  constructor(member: string, message: string, errors: readonly Fault[]) {
    super(
      message
        .split('\n')
        .map((line) => `${member}: ${line}`)
        .join('\n'),
    );
    this.errors = errors;
  }
}

/** Passed on to the page as they are. The type makes sure that none is missing. */
const METHODS: Record<keyof MethodsFromTest, true> = {
  compare: true,
  sweep: true,
  whatIf: true,
  explain: true,
  setKnob: true,
  fire: true,
  suppose: true,
  openScenario: true,
  openPlatform: true,
  openResult: true,
  pause: true,
  resume: true,
  stop: true,
  goTo: true,
  keepMoments: true,
  courses: true,
  renameCourse: true,
  compareCourses: true,
  idle: true,
  scenario: true,
  state: true,
  resultText: true,
  snapshot: true,
  execute: true,
  failForTest: true,
};
const LAB_METHODS: Record<keyof LabFromTest, true> = {
  compile: true,
  check: true,
  measure: true,
  judge: true,
  lookAt: true,
};

const DESIGN_OF_FIX = 'fixed';
const A_TARGET = 'a run spec, or a link such as #v=1&scenario=fil-mutex-69276';
const NO_RUN = 'there is no run: start one with start() or run(), or open a link with run=1';

interface Answer {
  value?: unknown;
  refusal?: { message: string; errors: readonly Fault[] };
}

/** Runs in the page: calls a member of window.latchscope, or awaits a promise there. */
async function inPage({ path, args }: { path: string[]; args: unknown[] }): Promise<Answer> {
  const { latchscope } = window as { latchscope?: object };
  if (latchscope === undefined) {
    const message = `${location.href} is not a page of Latchscope; call open() first`;
    return { refusal: { message, errors: [] } };
  }
  try {
    let owner: unknown = null;
    let member: unknown = latchscope;
    for (const name of path) {
      owner = member;
      member = (member as Record<string, unknown>)[name];
    }
    const value = typeof member === 'function' ? (Reflect.apply(member, owner, args) as unknown) : member;
    return { value: await value };
  } catch (error) {
    const { message, errors = [] } = error as { message: string; errors?: Fault[] };
    return { refusal: { message, errors } };
  }
}

/** Runs in the page: returns its figures after the next frame. */
function figuresInPage(): Promise<FiguresNow & { failure: string | null; hasRun: boolean }> {
  const readNow = () => {
    const { live, marks } = window.latchscope.snapshot();
    const { run_state, spec, result, engine_failure } = window.latchscope.state();
    const lastMarkNs = marks.at(-1)?.run_ns ?? 0;
    const inMs = (ns: number | null | undefined) => (ns == null ? null : ns / 1e6);
    const ofPage = live && [
      ...Object.entries(live.counts),
      ...live.counters.map((one) => [one.name, one] as const),
    ];
    const counted = ofPage && Object.fromEntries(ofPage.map(([name, { total }]) => [name, total]));
    const isOver = ['idle', 'finished', 'failed'].includes(run_state);
    return {
      figures: {
        tps: live?.transactions_per_s ?? null,
        operationsPerS: live?.operations_per_s ?? null,
        p50Ms: inMs(live?.p50_ns),
        p95Ms: inMs(live?.p95_ns),
        p99Ms: inMs(live?.p99_ns),
        counters: (isOver ? result?.counters : null) ?? counted,
      },
      runS: live?.run_s ?? null,
      isSettled: live !== null && live.is_settled && live.run_s * 1e9 >= lastMarkNs,
      isOver,
      failure: engine_failure,
      hasRun: spec !== null || result !== null,
    };
  };
  return new Promise((resolve) => {
    requestAnimationFrame(() => {
      resolve(readNow());
    });
  });
}

/** The part of the page object that is not a method of window.latchscope. */
class OpenPage {
  readonly page: Page;
  readonly #url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.#url = url;
  }

  async open(target: string | TestRunSpec = ''): Promise<void> {
    const isLink = typeof target === 'string';
    if (!isLink && (typeof target !== 'object' || (target as object | null) === null))
      throw badTarget(target);
    const link = isLink ? fragmentOf(target) : '';
    await this.#whileOpen('open', async () => {
      // Another fragment alone would not load the page again.
      if (this.page.url().startsWith(this.#url)) await this.page.goto('about:blank');
      await this.page.goto(`${this.#url}${link}`);
    });
    if (isLink) await this.call('open', ['opened']);
    else await this.call('open', ['openRun'], complete(target));
    if (target !== '') await this.call('open', ['ready']);
  }

  async run(spec: TestRunSpec): Promise<RunResult> {
    return (await this.call('run', ['run'], complete(spec))) as RunResult;
  }

  async start(): Promise<void> {
    await this.call('start', ['execute'], 'run.start');
  }

  async flip(design = DESIGN_OF_FIX): Promise<void> {
    const { manifest } = (await this.call('flip', ['scenario'])) as ReturnType<Automation['scenario']>;
    if (!Object.hasOwn(manifest.designs, design)) {
      const allowed = Object.keys(manifest.designs).join(', ');
      const fault = { field: 'design', value: design, allowed };
      throw new Refused('flip', `design is ${design}; allowed: ${allowed}`, [fault]);
    }
    await this.call('flip', ['execute'], `design.${design}`);
  }

  result(): Promise<RunResult> {
    return this.#resultOf('result');
  }

  async digest(): Promise<string> {
    const { engine } = await this.#resultOf('digest');
    if (engine.platform !== 'virtual') {
      const message = `platform is ${engine.platform}; allowed: virtual, where every run of a spec is the same`;
      throw new Refused('digest', message, []);
    }
    const text = (await this.call('digest', ['resultText'])) as string;
    return createHash('sha256').update(text.trim()).digest('hex');
  }

  figures(): Promise<FiguresNow> {
    return this.figuresFor('figures');
  }

  /** Throws unless there is a run, whose engine works. */
  async figuresFor(member: string): Promise<FiguresNow> {
    await this.#openIfBlank();
    const now = await this.#whileOpen(member, () => this.page.evaluate(figuresInPage));
    if (now.failure !== null) throw new Refused(member, `the engine stopped: ${now.failure}`, []);
    if (!now.hasRun) throw new Refused(member, NO_RUN, []);
    const { figures, runS, isSettled, isOver } = now;
    return { figures, runS, isSettled, isOver };
  }

  /** Calls or awaits a member of window.latchscope. `name` is what the test has called. */
  async call(name: string, path: string[], ...args: unknown[]): Promise<unknown> {
    await this.#openIfBlank();
    const answer = await this.#whileOpen(name, () => this.page.evaluate(inPage, { path, args }));
    if (answer.refusal === undefined) return answer.value;
    throw new Refused(name, answer.refusal.message, answer.refusal.errors);
  }

  async #resultOf(member: string): Promise<RunResult> {
    while (!(await this.figuresFor(member)).isOver);
    const { result } = (await this.call(member, ['state'])) as ReturnType<Automation['state']>;
    if (result === null) throw new Refused(member, NO_RUN, []);
    return result;
  }

  /** A test need not call open() before run(). */
  async #openIfBlank(): Promise<void> {
    if (this.page.url() === 'about:blank' && !this.page.isClosed()) await this.open();
  }

  async #whileOpen<Value>(member: string, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      const { message } = error as Error;
      if (this.page.isClosed() || message.includes('has been closed'))
        throw new Refused(member, 'the page was closed', []);
      if (message.includes('Execution context was destroyed'))
        throw new Refused(member, 'the page was left or loaded again', []);
      throw error;
    }
  }
}

/** Returns the page object for a page of the browser and the address of a server of Latchscope. */
export function latchscopeOn(page: Page, url: string): Latchscope & OpenPage {
  const opened = new OpenPage(page, url);
  const methods = <Name extends string>(names: Record<Name, true>, owner: string[]) =>
    Object.fromEntries(
      Object.keys(names).map((name) => {
        const path = [...owner, name];
        return [name, (...args: unknown[]) => opened.call(path.join('.'), path, ...args)];
      }),
    );
  const lab = methods(LAB_METHODS, ['lab']) as LabFromTest;
  return Object.assign(opened, methods(METHODS, []) as MethodsFromTest, { lab });
}

/** Returns the page object that `value` is. Throws a sentence that begins with `member` if it is none. */
export function pageObject(member: string, value: unknown): OpenPage {
  if (value instanceof OpenPage) return value;
  throw new Refused(member, `expect() got ${inWords(value)}; allowed: the fixture latchscope`, []);
}

const complete = (spec: TestRunSpec) => ({ version: 1, platform: 'virtual', ...spec });

function fragmentOf(link: string): string {
  const at = link.indexOf('#');
  if (link !== '' && at < 0) throw badTarget(link);
  return at < 0 ? '' : link.slice(at);
}

const badTarget = (target: unknown) =>
  new Refused('open', `target is ${inWords(target)}; allowed: ${A_TARGET}`, []);

/** Describes a value in an error message. */
export function inWords(value: unknown): string {
  try {
    return typeof value === 'function' || value === undefined ? String(value) : JSON.stringify(value);
  } catch {
    return String(value);
  }
}
