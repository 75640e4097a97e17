import { expect, test } from 'vitest';

import { all_scenarios } from '../contract/all-scenarios';
import { tasksOf } from '../contract/lesson';
import { machine } from '../contract/test-fixtures';
import { lessonRuns } from './lesson-runs';

const runsOf = (bug: number) =>
  lessonRuns(
    all_scenarios.find(({ manifest }) => manifest.bug === bug)!,
    machine,
  );

test('a run has the changes of later tasks at its pauses, and ends at its last one', () => {
  const runs = runsOf(69276);
  const [first, second] = runs;
  expect(runs).toHaveLength(2);
  expect(first!.tasks.map(({ task, endS }) => [task.title, endS])).toEqual([
    ['Run 54 clients on 32 cores', 0.02],
    ['One look-up, then a pin', 0.03],
    ['One atomic word per tablespace', 0.04],
  ]);
  expect(first!.spec).toMatchObject({ duration_s: 0.04, threads: 54 });
  const lookups = first!.spec.actions.flatMap((one) =>
    'knob' in one && one.knob === 'tablespace_lookup' ? [[one.at_s, one.variant]] : [],
  );
  expect(lookups).toEqual([
    [0.02, 'single_lookup_pin'],
    [0.03, 'atomic_word'],
  ]);
  expect(second!.spec).toMatchObject({ duration_s: 0.02, actions: [], parameters: { tables: 1 } });
});

test('commands of one task follow each other, and a knob that keeps its variant does not change', () => {
  const [run] = runsOf(99638);
  const atPause = run!.spec.actions.filter(({ at_s }) => at_s === 12);
  expect(atPause.map((one) => ('knob' in one ? one.knob : one.action))).toEqual([
    'more_xa_clients',
    'more_xa_clients',
    'more_xa_clients',
    'gtid_flush_wait',
  ]);
  const changed = run!.spec.actions.flatMap((one) => ('knob' in one ? [[one.knob, one.variant]] : []));
  expect(changed.every(([knob, variant], i) => !isRepeated(changed.slice(0, i), knob!, variant!))).toBe(true);
});

const isRepeated = (before: string[][], knob: string, variant: string) =>
  before.findLast(([earlier]) => earlier === knob)?.[1] === variant;

test('every task that runs or changes the server is in a run, in the order of the lesson', () => {
  for (const scenario of all_scenarios) {
    const tasks = scenario.lesson!.steps.flatMap(tasksOf).filter(({ explain }) => explain === null);
    expect(lessonRuns(scenario, machine).flatMap((run) => run.tasks.map(({ task }) => task))).toEqual(tasks);
  }
});
