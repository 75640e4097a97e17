import { beforeEach, expect, test, vi } from 'vitest';
import { waitForState } from '../../contract/test-fixtures/wait-for-state';

import type { LabCheckResult, LabContest, LabMoment, LabPhase } from '../../contract/lab-results';
import { compile } from '../../analysis/latch-language/compile';
import { all_scenarios } from '../../contract/all-scenarios';
import type { RunSpec } from '../../contract/run-spec';
import { LINKED_SOURCE_MAX } from '../../contract/run-spec-pairs';
import type { ExtraEngine } from '../../session/extra-engine';
import { storeForTest } from './test-fixtures';
import { labAutomation } from './lab-automation';
import { exercisePath, nextExercise, progressInWords } from './exercise-progress';
import { solvedFrom } from './lab-exercises';
import { labPairs, parseLab } from './lab-link';
import { placesFor } from './lab-server';
import { contestOf } from './lab-work';
import { firstSettings, openLabLink } from './lab-state';
import { LatchLab } from './latch-lab';
import { latchGroups, referenceLatches, sourceOfLatch } from './latches';
import type { ExplorerStore } from '../../session/store';

const fine: LabCheckResult = { version: 1, verdict: 'no_fault_found', sentence: 'No fault.', checked: [] };
const standing = (...phases: LabPhase[]): LabMoment => ({
  words: [{ word: 'locked', values: [phases.includes('holding') ? 1 : 0] }],
  threads: phases.map((phase) => ({ phase, line: 7, unseen_stores: [] })),
  sleepers: [],
});
const wrong: LabCheckResult = {
  ...fine,
  verdict: 'fault_found',
  fault: {
    ...{ kind: 'deadlock', sentence: '', memory: 'sc', threads: 2, roles: 'XX', rounds: 1, schedule: '1' },
    begin: standing('entering', 'entering'),
    steps: [1, 2].map((thread) => ({
      ...{ thread, what: 'access', function: 'enter', line: 7, operation: 'exchange', word: 'locked' },
      ...{ index: 0, before: 0, after: 1, afterwards: standing('holding', 'entering') },
    })),
  },
};

let store: ExplorerStore;
let lab: LatchLab;
let engine: {
  checkLatch: ReturnType<typeof vi.fn>;
  compete: ReturnType<typeof vi.fn>;
  dispose: ReturnType<typeof vi.fn>;
};

let remembered: string | null = null;
let started: RunSpec[] = [];

beforeEach(() => {
  remembered = null;
  started = [];
  store = storeForTest();
  engine = {
    checkLatch: vi.fn(() => Promise.resolve(wrong)),
    compete: vi.fn((_, { threads }: { threads: number }) => Promise.resolve({ threads } as LabContest)),
    dispose: vi.fn(),
  };
  lab = new LatchLab({
    store,
    engine: () => engine as unknown as ExtraEngine,
    show: () => undefined,
    remembered: () => remembered,
    remember: (text) => (remembered = text),
    save: () => undefined,
    register: () => () => undefined,
    start: (spec) => Promise.resolve(void started.push(spec)),
  });
});

test('a fault is walked through from its first step, and no step is beyond its ends', async () => {
  await lab.check();
  expect(lab.lab.check).toMatchObject({ step: 1, walk: [{ line: null }, { line: 7 }, { line: 7 }] });
  lab.lookAt(5);
  expect(lab.lab.check!.step).toBe(2);
  lab.lookAt(-1);
  expect(lab.lab.check!.step).toBe(0);
  expect(engine.dispose).toHaveBeenCalled();
});

test('a source with errors is refused with all its lines, and no engine is asked', async () => {
  lab.edit('word locked;\nvoid enter() { locked = 1; }\nvoid exit() { unlock(); }\n');
  await expect(lab.check()).rejects.toThrow(/^Line 2: .*\nLine 3: /);
  expect(lab.lab.refusal.map((line) => line.slice(0, 7))).toEqual(['Line 2:', 'Line 3:']);
  expect(engine.checkLatch).not.toHaveBeenCalled();
  expect(lab.lab.work).toBeNull();
});

test('a refusal goes when the source changes', async () => {
  lab.edit('word locked;');
  await expect(lab.check()).rejects.toThrow();
  expect(lab.lab.refusal).not.toEqual([]);
  lab.edit('word locked;\n');
  expect(lab.lab.refusal).toEqual([]);
});

test('what is cancelled is not told as found, whenever its engine answers', async () => {
  let answer: (result: LabCheckResult) => void = () => undefined;
  engine.checkLatch.mockReturnValue(new Promise((resolve) => (answer = resolve)));
  const check = lab.check();
  await waitForState(() => expect(engine.checkLatch).toHaveBeenCalled());
  lab.cancel();
  answer(wrong);
  await expect(check).rejects.toThrow('Cancelled.');
  expect(lab.lab).toMatchObject({ check: null, work: null, refusal: [] });
});

test('a link that is opened ends what goes on', async () => {
  engine.checkLatch.mockReturnValue(new Promise(() => undefined));
  void lab.check().catch(() => undefined);
  await waitForState(() => expect(engine.checkLatch).toHaveBeenCalled());
  openLabLink(store, { linkedLab: { latch: 'mcs', exercise: null, source: null } });
  expect(engine.dispose).toHaveBeenCalled();
  expect(lab.lab).toMatchObject({ latch: 'mcs', work: null });
});

test('the reader’s latch competes first, then those that are chosen, each with all numbers of threads', async () => {
  lab.choose('ticket', false);
  lab.set({ threads: '4, 2,2' });
  const { latches } = await lab.measure();
  expect(latches.map(({ latch }) => latch)).toEqual([null, 'test-and-set', 'mcs', 'futex-drepper']);
  expect(latches.map(({ contests }) => contests.map(({ threads }) => threads))).toEqual(
    Array.from({ length: 4 }, () => [2, 4]),
  );
});

test('four references compete at most; another one needs the place of one of them', async () => {
  lab.choose('clh', true);
  expect(lab.lab.references).toEqual(['test-and-set', 'ticket', 'mcs', 'futex-drepper']);
  lab.choose('ticket', false);
  lab.choose('clh', true);
  lab.set({ threads: '1' });
  const { latches } = await lab.measure();
  expect(latches.map(({ latch }) => latch)).toEqual([null, 'test-and-set', 'mcs', 'futex-drepper', 'clh']);
});

test('the references are those that are declared, and all of them are right', () => {
  expect(referenceLatches).toEqual(
    expect.arrayContaining([
      'test-and-set',
      'ttas-backoff',
      'anderson',
      'clh',
      'event-mutex',
      'rw-sharded-ticket',
    ]),
  );
  const [right] = latchGroups;
  expect(right!.latches).toEqual(expect.arrayContaining([...referenceLatches]));
});

test('a latch for two threads competes with no more', async () => {
  lab.open('peterson');
  lab.set({ threads: '1,2,4' });
  const { latches } = await lab.measure();
  expect(latches[0]!.contests.map(({ threads }) => threads)).toEqual([1, 2]);
  expect(latches[1]!.contests).toHaveLength(3);
});

test.each([
  [{ hold_ns: 'long' }, 'hold_ns'],
  [{ threads: '1;2' }, 'threads'],
  [{ threads: '' }, 'threads'],
  [{ threads: '0' }, 'threads'],
])('settings that mean nothing are refused by field: %o', (change, field) => {
  expect(() => contestOf({ ...firstSettings, ...change })).toThrow(field);
});

test('a link carries the latch and what was made of it, unless that is too long', () => {
  const pairs = labPairs({ latch: 'mcs', exercise: null, source: 'word a; // ä & = #\n' });
  const read = Object.fromEntries(
    new URLSearchParams(pairs.map(([key, value]) => `${key}=${value}`).join('&')),
  );
  const linked = parseLab({ pairs: Object.entries(read) } as never);
  expect(linked).toEqual({
    ok: true,
    value: { linkedLab: { latch: 'mcs', exercise: null, source: 'word a; // ä & = #\n' } },
  });
  expect(labPairs({ latch: 'mcs', exercise: null, source: 'x'.repeat(LINKED_SOURCE_MAX + 1) })).toEqual([
    ['lab.latch', 'mcs'],
  ]);
});

test('a link to a latch of no such name is refused', () => {
  const linked = parseLab({ pairs: [['lab.latch', '../../etc/passwd']] } as never);
  expect(linked).toMatchObject({ ok: false, errors: [{ field: 'lab.latch' }] });
});

test('a script is told what it may hand over', async () => {
  const automation = labAutomation(lab);
  expect(() => automation.compile(7)).toThrow('source');
  expect(() => automation.check(undefined, 'all')).toThrow('options');
  expect(() => automation.measure(undefined, { colour: 'red' })).toThrow('settings.colour');
  expect(() => automation.lookAt('next')).toThrow('step');
  expect(await automation.check(sourceOfLatch('mcs'), {})).toEqual(wrong);
});

test('an exercise that is solved is remembered with its answer; what another device remembers may be anything', async () => {
  engine.checkLatch.mockResolvedValue(fine);
  engine.compete.mockResolvedValue({ verdict: 'sound', sentence: '', acquisitions: 1, futex_waits: 1 });
  lab.openExercise('08-lost-wake-up');
  lab.showModel();
  const answer = lab.lab.source!;
  expect((await lab.judge()).holds).toBe(true);
  expect(solvedFrom(remembered)).toEqual({ '08-lost-wake-up': answer });
  lab.open('mcs');
  lab.openExercise('08-lost-wake-up');
  expect(lab.lab.source).toBe(answer);
  for (const text of [null, 'x', '[]', '{"version":2,"solved":{}}', '{"version":1,"solved":{"a":7}}'])
    expect(solvedFrom(text)).toEqual({});
});

test('the next exercise is the first unsolved one after the open one, then one before it', () => {
  const [first, second, third, ...others] = exercisePath(lab.lab).map(({ id }) => id);
  const solved = (...ids: (string | undefined)[]) => Object.fromEntries(ids.map((id) => [String(id), '']));
  expect(nextExercise({ exercise: null, solved: {} })?.id).toBe(first);
  expect(nextExercise({ exercise: first!, solved: solved(first, second) })?.id).toBe(third);
  expect(nextExercise({ exercise: third!, solved: solved(third, ...others) })?.id).toBe(first);
  expect(nextExercise({ exercise: third!, solved: solved(first, second, ...others) })).toBeNull();
  expect(progressInWords({ exercise: null, solved: solved(second, 'unknown') })).toBe('1 of 13 solved');
  expect(progressInWords({ exercise: null, solved: solved(first, second, third, ...others) })).toBe(
    'all 13 solved',
  );
});

test('the path counts its arrivals, and a link does not forget them', () => {
  lab.goToNextExercise();
  expect(lab.lab).toMatchObject({ exercise: '01-lost-update', arrivals: 1 });
  openLabLink(store, { linkedLab: { exercise: '05-ticket', source: null } });
  expect(lab.lab).toMatchObject({ exercise: '05-ticket', arrivals: 1 });
});

test('what does not solve an exercise is told and not remembered', async () => {
  lab.openExercise('08-lost-wake-up');
  const judgement = await lab.judge();
  expect(judgement.holds).toBe(false);
  expect(lab.lab.solved).toEqual({});
  expect(remembered).toBeNull();
});

test('every latch of lab/latches/ can be begun with', () => {
  const [right, starving, faulty] = latchGroups;
  expect(right!.latches.length).toBeGreaterThanOrEqual(20);
  expect(starving!.latches.length).toBeGreaterThan(0);
  expect(faulty!.latches.length).toBeGreaterThanOrEqual(12);
  expect(sourceOfLatch('nothing')).toBeUndefined();
});

test('a latch goes to the places of its kind, an rw-latch to all', () => {
  const places = (source: string) =>
    placesFor({ scenarios: all_scenarios }, compile(source).program).map(({ id }) => id);
  const ofALatch = [
    'fil-mutex-69276/tablespace_lookup',
    'binlog-purge-104615/lock_log',
    'undo-read-117533/undo_page_size_lookup',
  ];
  expect(places(sourceOfLatch('mcs')!).sort()).toEqual(ofALatch.sort());
  expect(places('no latch')).toEqual(places(sourceOfLatch('mcs')!));
  expect(places(sourceOfLatch('rw-ticket')!)).toContain('undo-read-117533/purge_latch');
});

test('it is taken into the server beside the original design, or in its place', async () => {
  store.setState({ scenarios: all_scenarios, machine: { cores: 4, platforms: ['threads', 'virtual'] } });
  lab.open('mcs');
  lab.chooseServer('binlog-purge-104615/lock_log');
  await lab.takeToServer(false);
  await lab.takeToServer(true);
  const source = sourceOfLatch('mcs')!;
  const latch = { source, program: compile(source).program };
  expect(started).toMatchObject([
    { scenario: 'binlog-purge-104615', platform: 'virtual', design: { lock_log: 'mysql_mutex' }, latch },
    { scenario: 'binlog-purge-104615', platform: 'virtual', design: { lock_log: 'yours' }, latch },
  ]);
});

test('what is no latch stays in the lab, which says why', async () => {
  store.setState({ scenarios: all_scenarios, machine: { cores: 4, platforms: ['virtual'] } });
  lab.edit('word locked;\nvoid enter() { locked = 1; }\nvoid exit() { }\n');
  await expect(lab.takeToServer(false)).rejects.toThrow();
  expect(lab.lab.refusal.join()).toContain('Line 2: locked is a word');
  expect(started).toEqual([]);
});
