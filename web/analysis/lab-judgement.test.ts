import { describe, expect, test } from 'vitest';

import type { ContestOutcome } from '../contract/lab-results.ts';
import type { ExerciseCheck } from '../contract/lab-exercise.ts';
import { wantedBy } from './lab-exercise-words.ts';
import { judge, partOfWorkload, runsOf, type RunOutcome, type Written } from './lab-judgement.ts';
import { compile } from './latch-language/compile.ts';

const SOURCE = `word locked = 0;
void enter() { while (exchange(locked, 1) != 0) pause(); }
void exit() { store(locked, 0); }
`;

const written = (text: string): Written => ({ source: text, program: compile(text).program! });

const sound: ContestOutcome = {
  verdict: 'sound',
  sentence: 'Nobody was inside together, and everybody got out.',
  acquisitions: 200,
  acquisitions_per_s: 1_000_000,
  hand_over_ns: 300,
  wait_ns: { median: 10, p99: 900 },
  line_transfers_per_acquisition: 6.03,
  futex_waits: 50,
  overtaken_max: 15,
  in_order_percent: 97,
  fairness: 0.998,
};

const noFault: RunOutcome = { verdict: 'no_fault_found', sentence: 'No fault was found.' };
const fault: RunOutcome = {
  verdict: 'fault_found',
  sentence: 'Two hold the latch.',
  fault: { kind: 'mutual_exclusion' },
};

/** Judges one check. REQUIRES: `outcomes` in the order of the runs. */
function judged(check: ExerciseCheck, outcomes: RunOutcome[] = [], attempt = SOURCE, start = SOURCE) {
  const runs = runsOf([check]);
  expect(runs.length).toBe(outcomes.length);
  const byRun = new Map(runs.map(({ id }, i) => [id, outcomes[i]!]));
  const { holds, checks } = judge({ checks: [check] }, written(attempt), written(start), byRun);
  expect(checks[0]!.holds).toBe(holds);
  return [holds, checks[0]!.sentence];
}

const contest = { threads: 16, hold_ns: 1000 };
const contestCheck = (change: object) =>
  ({ kind: 'contest', contest, measure: 'line_transfers_per_acquisition', ...change }) as ExerciseCheck;

describe('which runs are needed', () => {
  test('a run that several checks need is there once, and those of other latches come last', () => {
    const runs = runsOf([
      contestCheck({ at_least: { times: 2, of: 'start' } }),
      contestCheck({ measure: 'fairness', at_least: { times: 1, of: 'mcs' } }),
      contestCheck({ measure: 'overtaken_max', at_most: 15 }),
      { kind: 'right' },
    ]);
    expect(runs.map(({ latch, kind }) => `${latch} ${kind}`)).toEqual([
      'attempt contest',
      'attempt check',
      'start contest',
      'mcs contest',
    ]);
    expect(runs[0]).toMatchObject({ contest });
  });

  test('right and faulty with the same options are one run, with others two', () => {
    expect(runsOf([{ kind: 'right' }, { kind: 'faulty', fault: 'deadlock' }]).length).toBe(1);
    const [sc, tso] = runsOf([
      { kind: 'right', memory: 'sc' },
      { kind: 'right', memory: 'tso' },
    ]);
    expect([sc, tso]).toMatchObject([{ options: { memory: 'sc' } }, { options: { memory: 'tso' } }]);
  });

  test('what is seen in the source needs none', () => {
    expect(
      runsOf([
        { kind: 'uses', operations: ['fence'] },
        { kind: 'keeps', functions: ['exit'] },
      ]),
    ).toEqual([]);
  });
});

describe('right and faulty', () => {
  test('right holds if nothing was found', () => {
    expect(judged({ kind: 'right' }, [noFault])).toEqual([true, 'No fault was found.']);
    expect(judged({ kind: 'right', memory: 'tso' }, [fault])).toEqual([
      false,
      'With store buffers: Two hold the latch. Wanted: no fault.',
    ]);
  });

  test('a latch that can starve a thread is right, unless the exercise is about fairness', () => {
    const sentence = 'A thread can starve; nothing else was found wrong.';
    const canStarve = { verdict: 'can_starve', sentence, starvation: { kind: 'starvation' } } as const;
    expect(judged({ kind: 'right' }, [canStarve])).toEqual([true, sentence]);
    expect(judged({ kind: 'right', require_fair: true }, [canStarve])).toEqual([
      false,
      `${sentence} Wanted: no fault, no starvation.`,
    ]);
    expect(judged({ kind: 'faulty', fault: 'starvation' }, [canStarve])[0]).toBe(true);
  });

  test('a latch for fewer threads than the given one is not right', () => {
    const [one, two] = [1, 2].map((most) => `threads at most ${most}; ${SOURCE}`);
    expect(judged({ kind: 'right' }, [noFault], one)).toEqual([
      false,
      'The latch allows at most 1 threads; wanted: any number.',
    ]);
    expect(judged({ kind: 'right' }, [noFault], one, two)).toEqual([
      false,
      'The latch allows at most 1 threads; wanted: 2.',
    ]);
    expect(judged({ kind: 'right' }, [noFault], two, two)[0]).toBe(true);
    expect(judged({ kind: 'right' }, [noFault], SOURCE, two)[0]).toBe(true);
  });

  test('faulty holds for the very fault', () => {
    expect(judged({ kind: 'faulty', fault: 'mutual_exclusion' }, [fault])).toEqual([
      true,
      'Two hold the latch. Fault: mutual_exclusion. Wanted: mutual_exclusion.',
    ]);
    expect(judged({ kind: 'faulty', fault: 'deadlock' }, [fault])[0]).toBe(false);
    expect(judged({ kind: 'faulty', fault: 'deadlock' }, [noFault])).toEqual([
      false,
      'No fault was found. Wanted: deadlock.',
    ]);
  });
});

describe('contests', () => {
  test('a bound may be met exactly', () => {
    expect(judged(contestCheck({ at_most: 6.03 }), [sound])).toEqual([
      true,
      'With 16 threads (1,000 ns held): 6.03 line transfers per acquisition; wanted: at most 6.03.',
    ]);
    expect(judged(contestCheck({ at_most: 6 }), [sound])[0]).toBe(false);
    expect(judged(contestCheck({ at_least: 6.03 }), [sound])[0]).toBe(true);
    expect(judged(contestCheck({ at_least: 6.1 }), [sound])[0]).toBe(false);
  });

  test('a bound of another latch is so many times what that reaches', () => {
    const check = contestCheck({ measure: 'acquisitions_per_s', at_least: { times: 1.4, of: 'start' } });
    const reached = (acquisitionsPerS: number) => ({ ...sound, acquisitions_per_s: acquisitionsPerS });
    expect(judged(check, [reached(1_400_000), sound])).toEqual([
      true,
      'With 16 threads (1,000 ns held): 1,400,000 acquisitions per s; wanted: at least 1.4 times as many as start.latch (1,400,000).',
    ]);
    expect(judged(check, [reached(1_399_999), sound])[0]).toBe(false);
  });

  test.each([
    ['acquisitions_per_s', 1_000_000],
    ['hand_over_ns', 300],
    ['wait_median_ns', 10],
    ['wait_p99_ns', 900],
    ['line_transfers_per_acquisition', 6.03],
    ['futex_waits_per_acquisition', 0.25],
    ['overtaken_max', 15],
    ['in_order_percent', 97],
    ['fairness', 0.998],
  ])('%s is what the contest says', (measure, value) => {
    expect(judged(contestCheck({ measure, at_most: value }), [sound])[0]).toBe(true);
    expect(judged(contestCheck({ measure, at_least: value }), [sound])[0]).toBe(true);
  });

  test('a latch that is not sound fails, whatever is measured', () => {
    const hangs: RunOutcome = { ...sound, verdict: 'hangs', sentence: 'It hangs.' };
    expect(judged(contestCheck({ at_most: 100 }), [hangs])).toEqual([
      false,
      'It hangs. Wanted: with 16 threads (1,000 ns held): at most 100 line transfers per acquisition.',
    ]);
  });

  test('nothing to measure, and a contest that the engine refused, do not hold', () => {
    const nobodyWaited = { ...sound, hand_over_ns: null };
    const check = contestCheck({ measure: 'hand_over_ns', at_most: 100 });
    expect(judged(check, [nobodyWaited])[1]).toMatch(/^No measurement\. Wanted: /);
    const refused = { refused: 'threads: got 16; allowed: an integer from 1 to 2' };
    expect(judged(check, [refused])).toEqual([
      false,
      'Could not run: threads: got 16; allowed: an integer from 1 to 2. Wanted: with 16 threads (1,000 ns held): at most 100 ns per hand-off.',
    ]);
  });
});

describe('the source', () => {
  test('operations', () => {
    expect(judged({ kind: 'uses', operations: ['exchange', 'pause'] })[0]).toBe(true);
    expect(judged({ kind: 'uses', operations: ['exchange', 'fence'] })).toEqual([
      false,
      'fence is not used; wanted: uses exchange, fence.',
    ]);
    expect(judged({ kind: 'does_not_use', operations: ['fence'] })[0]).toBe(true);
    expect(judged({ kind: 'does_not_use', operations: ['pause'] })).toEqual([
      false,
      'pause is used; wanted: does not use pause.',
    ]);
  });

  test('a function is kept if only white space and comments change, and other functions', () => {
    const same = SOURCE.replace('{ store(', '{ // frees it\n  store( /* the word */ ').replace(
      'pause()',
      'yield()',
    );
    expect(judged({ kind: 'keeps', functions: ['exit'] }, [], same)).toEqual([true, 'Unchanged: exit.']);
    expect(judged({ kind: 'keeps', functions: ['enter', 'exit'] }, [], same)).toEqual([
      false,
      'enter was changed; wanted: enter, exit unchanged.',
    ]);
  });

  test('a function that the exercise has not may not be added, nor one that it has be left out', () => {
    const withClient = `${SOURCE}void client() { }`;
    expect(judged({ kind: 'keeps', functions: ['client'] })[0]).toBe(true);
    expect(judged({ kind: 'keeps', functions: ['client'] }, [], withClient)).toEqual([
      false,
      'client is not part of the exercise; wanted: client unchanged.',
    ]);
    expect(judged({ kind: 'keeps', functions: ['client'] }, [], SOURCE, withClient)[0]).toBe(false);
  });
});

test('all checks have to hold', () => {
  const checks: ExerciseCheck[] = [
    { kind: 'uses', operations: ['exchange'] },
    { kind: 'uses', operations: ['fence'] },
  ];
  const { holds, checks: each } = judge({ checks }, written(SOURCE), written(SOURCE), new Map());
  expect([holds, ...each.map((check) => check.holds)]).toEqual([false, true, false]);
});

test('what a check wants can be said before anything has run', () => {
  expect(
    [
      { kind: 'right', memory: 'sc' },
      { kind: 'faulty', fault: 'no_end' },
      contestCheck({ measure: 'wait_p99_ns', at_most: { times: 1, of: 'mcs' } }),
      { kind: 'contest', contest: { threads: 1, server: 'xeon-2020' }, measure: 'fairness', at_least: 0.9 },
      { kind: 'keeps', functions: ['client', 'at_end'] },
    ].map((check) => wantedBy(check as ExerciseCheck)),
  ).toEqual([
    'without store buffers: no fault',
    'fault no_end',
    'with 16 threads (1,000 ns held): at most as many ns p99 wait as mcs',
    'with one thread (xeon-2020): at least 0.9 Jain’s fairness index',
    'client, at_end unchanged',
  ]);
});

describe('a workload', () => {
  const workload = {
    scenario: 'fil-mutex-69276',
    design: { tablespace_lookup: 'yours' },
    threads: 54,
    duration_s: 0.05,
  };
  const check: ExerciseCheck = {
    ...{ kind: 'workload', workload, measure: 'transactions_per_s' },
    at_least: { times: 1.15, of: 'original' },
  };
  const run = (tps: number, detail = ''): RunOutcome => ({
    totals: { tps, latency_ms: { p95: 1, p99: 2 } },
    invariants: [{ name: 'nobody was let in twice', ok: detail === '', detail }],
  });

  test('is held against another design in the same workload', () => {
    expect(judged(check, [run(120_000), run(100_000)])).toEqual([
      true,
      'In bug #69276 with 54 threads, your latch in tablespace_lookup: 120,000 transactions per s; wanted: at least 1.15 times as many as design original (115,000).',
    ]);
    expect(judged(check, [run(114_000), run(100_000)])[0]).toBe(false);
    const atMost = { kind: 'workload', workload, measure: 'latency_p99_ms', at_most: 1.9 } as const;
    expect(judged(atMost, [run(1)])).toEqual([false, expect.stringContaining('2 ms p99 latency')]);
  });

  test('fails where an invariant does not hold, whatever was measured', () => {
    expect(judged(check, [run(900_000, 'Thread 2 got in beside thread 1.'), run(1)])).toEqual([
      false,
      expect.stringContaining('Thread 2 got in beside thread 1. Wanted: in bug #69276'),
    ]);
    expect(judged(check, [{ refused: 'no.' }, run(1)])).toEqual([
      false,
      expect.stringContaining('no. Wanted'),
    ]);
  });

  test('is part of a run spec: the original design but for what is turned, with the latch', () => {
    const designs = { original: { a: 'b', tablespace_lookup: 'c' }, fixed: { a: 'd' } };
    const parts = (of: string) => {
      const runs = runsOf([{ ...check, at_least: { times: 1, of } }]).filter(
        ({ kind }) => kind === 'workload',
      );
      return runs.map((one) => {
        if (one.kind !== 'workload') throw new Error(one.kind);
        const { design, latch } = partOfWorkload(one, { designs }, one.isWithLatch ? written(SOURCE) : null);
        return [design, latch !== undefined];
      });
    };
    const yours = [{ a: 'b', tablespace_lookup: 'yours' }, true];
    expect(parts('fixed')).toEqual([yours, [{ a: 'd' }, false]]);
    expect(parts('a.e')).toEqual([yours, [{ a: 'e', tablespace_lookup: 'c' }, false]]);
    expect(parts('start')).toEqual([yours, yours]);
  });

  test('comes after contests, which an engine that has run one does not hold', () => {
    const kinds = runsOf([check, contestCheck({ at_most: { times: 1, of: 'start' } })]).map(
      ({ kind }) => kind,
    );
    expect(kinds).toEqual(['contest', 'contest', 'workload', 'workload']);
  });
});
