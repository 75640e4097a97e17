// The matchers of latchscope/playwright.
import type { ExpectMatcherState } from '@playwright/test';

import {
  inWords,
  pageObject,
  Refused,
  type Figures,
  type FiguresNow,
  type Latchscope,
} from './playwright-page';

export interface Bounds {
  atLeast?: number;
  atMost?: number;
}

/** Figures with their bounds, and counters of the run so far. */
export type Goal = Partial<Record<Measured, Bounds>> & { counters?: Record<string, Bounds> };

type Measured = Exclude<keyof Figures, 'counters'>;

interface MatcherResult {
  pass: boolean;
  message: () => string;
}

// A type, because Playwright requires an index signature.
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions
export type Matchers = {
  /**
   * Waits until the figures of the run are within all bounds and have settled. Fails at the end of
   * the run.
   */
  toReach: (this: ExpectMatcherState, latchscope: Latchscope, goal: Goal) => Promise<MatcherResult>;
  /** Waits for the end of a run on the virtual server and compares the digest of its result. */
  toMatchDigest: (this: ExpectMatcherState, latchscope: Latchscope, sha256: string) => Promise<MatcherResult>;
};

const FIGURES: Record<keyof Goal, true> = {
  tps: true,
  operationsPerS: true,
  p50Ms: true,
  p95Ms: true,
  p99Ms: true,
  counters: true,
};
const KINDS = { atLeast: 'at least', atMost: 'at most' };
const SHA256 = /^[0-9a-f]{64}$/i;

/** One bound of a goal. */
interface Bound {
  figure: Measured | `counters.${string}`;
  kind: keyof Bounds;
  limit: number;
}

/** Returns the bounds of a goal. Throws one sentence if it is wrong. */
function boundsOf(goal: unknown): Bound[] {
  const wrong = (field: string, value: unknown, allowed: string) =>
    new Refused('toReach', `${field} is ${inWords(value)}; allowed: ${allowed}`, []);
  const figures = Object.keys(FIGURES).join(', ');
  const given = Object.entries(goal ?? {});
  if (typeof goal !== 'object' || given.length === 0)
    throw wrong('the goal', goal, `bounds of one or more of ${figures}`);
  const boundsOfFigure = (figure: string, bounds: unknown) => {
    const kinds = Object.entries(bounds ?? {});
    if (typeof bounds !== 'object' || kinds.length === 0)
      throw wrong(figure, bounds, 'an object with atLeast, atMost or both');
    return kinds.map(([kind, limit]: [string, unknown]) => {
      if (!Object.hasOwn(KINDS, kind)) throw wrong(`a bound of ${figure}`, kind, 'atLeast, atMost');
      if (typeof limit !== 'number' || !Number.isFinite(limit))
        throw wrong(`${figure}.${kind}`, limit, 'a number');
      return { figure: figure as Bound['figure'], kind: kind as keyof Bounds, limit };
    });
  };
  return given.flatMap(([figure, bounds]) => {
    if (!Object.hasOwn(FIGURES, figure)) throw wrong('a figure', figure, figures);
    if (figure !== 'counters') return boundsOfFigure(figure, bounds);
    const counters = Object.entries((bounds ?? {}) as object);
    if (typeof bounds !== 'object' || counters.length === 0)
      throw wrong(figure, bounds, 'counters of the run with their bounds');
    return counters.flatMap(([name, ofCounter]) => boundsOfFigure(`counters.${name}`, ofCounter));
  });
}

/** Returns null while it is unknown. Throws if the run has no such counter. */
function valueOf(figure: Bound['figure'], { figures }: FiguresNow): number | null {
  const counter = /^counters\.(.*)$/s.exec(figure)?.[1];
  if (counter === undefined) return figures[figure as Measured];
  const { counters } = figures;
  if (counters === null || Object.hasOwn(counters, counter)) return counters?.[counter] ?? null;
  const message = `a counter is ${inWords(counter)}; allowed: ${Object.keys(counters).join(', ')}`;
  throw new Refused('toReach', message, []);
}

const isMet = ({ figure, kind, limit }: Bound, now: FiguresNow) => {
  const value = valueOf(figure, now);
  return value !== null && (kind === 'atLeast' ? value >= limit : value <= limit);
};

/** A bound is written as given, a figure with as many digits as tell it from its bound. */
const EVERY_DIGIT = 21;
const DIGITS = 8;

const inFigures = (value: number | null, digits = DIGITS) =>
  value === null ? 'unknown' : value.toLocaleString('en', { maximumSignificantDigits: digits });

const wanted = ({ kind, limit }: Bound) => `${KINDS[kind]} ${inFigures(limit, EVERY_DIGIT)}`;

const sentenceOf = (bound: Bound, now: FiguresNow) =>
  `${bound.figure} is ${inFigures(valueOf(bound.figure, now))}; expected ${wanted(bound)}`;

async function toReach(this: ExpectMatcherState, latchscope: Latchscope, goal: Goal): Promise<MatcherResult> {
  const page = pageObject('toReach', latchscope);
  const bounds = boundsOf(goal);
  let now: FiguresNow | null = null;
  for (;;) {
    now = await figuresOrLast(bounds, now, () => page.figuresFor('toReach'));
    const pass = now.isSettled && bounds.every((bound) => isMet(bound, now!));
    if (!pass && !now.isOver) continue;
    const hint = this.utils.matcherHint('toReach', 'latchscope', 'goal', { isNot: this.isNot });
    const last = now;
    return { pass, message: () => `${hint}\n\n${pass ? reached(bounds, last) : missed(bounds, last)}` };
  }
}

/** If the page was closed, as at a time limit of the test, the error has the last figures. */
async function figuresOrLast(
  bounds: readonly Bound[],
  last: FiguresNow | null,
  read: () => Promise<FiguresNow>,
): Promise<FiguresNow> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Refused) || last === null) throw error;
    const open = bounds.filter((bound) => !isMet(bound, last)).map((bound) => sentenceOf(bound, last));
    throw new Error([error.message, ...open].join('; '), { cause: error });
  }
}

const reached = (bounds: readonly Bound[], now: FiguresNow) =>
  bounds
    .map(
      (bound) => `${bound.figure} is ${inFigures(valueOf(bound.figure, now))}; expected not ${wanted(bound)}`,
    )
    .join('\n');

function missed(bounds: readonly Bound[], now: FiguresNow): string {
  const unmet = bounds.filter((bound) => !isMet(bound, now));
  const end = now.runS === null ? 'The run ended' : `The run ended at ${inFigures(now.runS)} s of run time`;
  if (unmet.length === 0) return `${end}, before its figures had settled. Give it more time.`;
  return `${end}:\n${unmet.map((bound) => sentenceOf(bound, now)).join('\n')}`;
}

async function toMatchDigest(
  this: ExpectMatcherState,
  latchscope: Latchscope,
  sha256: string,
): Promise<MatcherResult> {
  const page = pageObject('toMatchDigest', latchscope);
  if (!SHA256.test(sha256)) {
    const message = `the digest is ${inWords(sha256)}; allowed: a SHA-256 in 64 hexadecimal digits`;
    throw new Refused('toMatchDigest', message, []);
  }
  const digest = await page.digest();
  const hint = this.utils.matcherHint('toMatchDigest', 'latchscope', 'sha256', { isNot: this.isNot });
  const not = this.isNot ? 'not ' : '';
  return {
    pass: digest === sha256.toLowerCase(),
    message: () => `${hint}\n\nthe digest is ${digest}; expected ${not}${sha256.toLowerCase()}`,
  };
}

export const matchers: Matchers = { toReach, toMatchDigest };
