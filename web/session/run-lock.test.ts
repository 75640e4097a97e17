import { expect, test } from 'vitest';

import { refusalToReplace, refusalToStart, RunCalledOff, RunLock, type RunLockStage } from './run-lock';

const free = { runLock: 'none', series: null, opening: null } as const;

function turnWithStages() {
  const stages: RunLockStage[] = [];
  return { turn: new RunLock((stage) => stages.push(stage)), stages };
}

test('a run starts, goes on and is over; then it is the turn of the next one', async () => {
  const { turn, stages } = turnWithStages();
  const run = turn.take();
  expect(() => turn.take()).toThrow('Two runs');
  run.hasBegun();
  await run.begun;
  run.end();
  await run.over;
  turn.take();
  expect(stages).toEqual(['starting', 'going', 'none', 'starting']);
});

test('a run that is cancelled before it begins stops waiting, and never begins', async () => {
  const { turn, stages } = turnWithStages();
  const run = turn.take();
  const waiting = run.unlessCalledOff(new Promise(() => undefined));
  run.callOff();
  await expect(waiting).rejects.toBeInstanceOf(RunCalledOff);
  expect(() => run.throwIfCalledOff()).toThrow('stopped before it began');
  run.hasBegun();
  expect(run.stage).toBe('ending');
  run.endUnlessBegun();
  expect(stages).toEqual(['starting', 'ending', 'none']);
});

test('a run whose stop is refused goes on', async () => {
  const { turn, stages } = turnWithStages();
  const run = turn.take();
  run.hasBegun();
  await expect(run.isStopping(Promise.reject(new Error('not now')))).rejects.toThrow('not now');
  run.endUnlessBegun();
  expect(turn.run).toBe(run);
  expect(stages).toEqual(['starting', 'going', 'ending', 'going']);
});

test('a finished run stays finished, and does not affect the next one', () => {
  const { turn } = turnWithStages();
  const run = turn.take();
  run.end();
  const next = turn.take();
  run.end();
  run.callOff();
  run.hasBegun();
  expect(run.stage).toBe('over');
  expect([turn.run, next.stage]).toEqual([next, 'starting']);
});

test.each([
  [{}, null, null],
  [{ runLock: 'starting' }, 'starting', 'starting'],
  [{ runLock: 'going' }, 'going', null],
  [{ runLock: 'ending' }, 'ending', 'ending'],
  [{ opening: {} }, 'leaving', 'leaving'],
  [{ runLock: 'going', series: 'sweep' }, 'sweep', null],
] as const)('who may start while %o', (taken, start, replace) => {
  const valueOf = (refusal: ReturnType<typeof refusalToStart>) => refusal?.errors[0]?.value ?? null;
  expect(valueOf(refusalToStart({ ...free, ...taken }))).toBe(start);
  expect(valueOf(refusalToReplace({ ...free, ...taken }))).toBe(replace);
});

test('a series that goes on starts its own runs, one at a time', () => {
  expect(refusalToStart({ ...free, series: 'sweep' }, 'series')).toBeNull();
  expect(refusalToStart({ ...free, series: 'sweep', runLock: 'starting' }, 'series')).not.toBeNull();
});
