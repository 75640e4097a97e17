// Performs everything that a script or a reader can do with a session, in any order and
// concurrently. The engines are slow, fail, or never finish loading. After any sequence, the page
// must still be able to run.
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { EngineLoader } from '../engine-client/engine-host';
import { FakeEngine } from '../engine-client/test-fixtures/fake-engine';
import { ThreadsHost } from '../engine-client/threads-host';
import { automationOf, type Automation } from './automation';
import { reasonAgainst } from '../session/command-registry';
import { firstRunLink, parseLink } from '../session/link';
import { refusalToStart } from '../session/run-lock';
import type { Explanations } from '../features/explain/explanations';
import type { Experiments } from '../features/experiments/experiments';
import type { Session } from '../session/session';
import { workersFor } from '../session/run-series';
import { pageForTest } from './page-fixture';
import { fil_mutex, machine, scenarios, undo_read } from '../contract/test-fixtures';
import type { ExplorerState } from '../session/store';

const STEPS = 10_000;
const STEPS_OF_A_SESSION = 100;
/** More than any command, run or batch of these engines takes. */
const FRAMES_TO_SETTLE = 2_000;

const [aScenario, another] = [fil_mutex.manifest.id, undo_read.manifest.id];
const shortRun = { version: 1, scenario: aScenario, duration_s: 0.01 };
const runResult = {
  version: 1,
  spec: { actions: [], duration_s: 1 },
  totals: { seconds: 1, transactions: 7, latency_ms: {} },
  counters: {},
  intervals: [],
  invariants: [],
};

let frames: FrameRequestCallback[];
beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
});
afterEach(() => {
  vi.unstubAllGlobals();
});

/** A page without views, and the outcome of each promise that it returned. */
class Page {
  readonly engines: FakeEngine[] = [];
  readonly session: Session;
  readonly experiments: Experiments;
  readonly explanations: Explanations;
  readonly state: () => ExplorerState;
  readonly latchscope: Automation;
  outstanding = 0;
  #nowMs = 0;
  #isLoadingPossible = true;
  #heldLoads: (() => void)[] = [];

  constructor(moments: number) {
    const load: EngineLoader = async ({ onFailure }) => {
      if (!this.#isLoadingPossible) throw new Error('no network');
      await new Promise<void>((resolve) => this.#heldLoads.push(resolve));
      const engine = new FakeEngine({ runResult, moments });
      this.engines.push(engine);
      return new ThreadsHost(engine.module, onFailure);
    };
    const page = pageForTest({ loaders: { threads: load, virtual: load } });
    this.session = page.session;
    this.experiments = page.experiments;
    this.explanations = page.explanations;
    this.state = page.state;
    this.latchscope = automationOf(page);
  }

  /** Does not wait for the work. */
  begin(work: () => unknown): void {
    this.outstanding += 1;
    const settled = () => (this.outstanding -= 1);
    new Promise((resolve) => resolve(work())).then(settled, settled);
  }

  network(isThere: boolean): void {
    this.#isLoadingPossible = isThere;
  }

  async passFrames(count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      this.#nowMs += 16;
      for (const loaded of this.#heldLoads.splice(0)) loaded();
      for (const engine of this.engines) engine.passMoment();
      for (const callback of frames.splice(0)) callback(this.#nowMs);
      for (let turns = 0; turns < 6; turns += 1) await Promise.resolve();
    }
  }

  /** Checks the conditions that hold after every step. */
  check(): void {
    const state = this.state();
    const atWork = this.engines.filter(
      ({ isTerminated, runState }) => !isTerminated && !['idle', 'finished', 'failed'].includes(runState),
    );
    const live = atWork.filter(({ askedToExplain }) => askedToExplain.length === 0);
    // Explanations run in addition to the shown run.
    const explaining = atWork.length - live.length;
    expect(explaining, 'explanations').toBeLessThanOrEqual(state.explaining.stage === 'under_way' ? 1 : 0);
    // A comparison or a sweep is a batch; a what-if study has parallel runs, too.
    const isOne = state.batch === null && state.series !== 'what_if';
    const most = isOne ? 1 : workersFor(state.draft.platform, machine);
    expect(live.length, 'runs at a time').toBeLessThanOrEqual(most);
    if (state.runLock === 'none' && state.batch === null)
      expect(live.length, 'runs that nobody owns').toBe(0);
    // The page never requests a run that the engine must refuse.
    expect(this.engines.flatMap(({ refused }) => refused).filter((name) => name === 'create')).toEqual([]);
    const start = this.session.commands.find('run.start');
    const canStart = refusalToStart(state) === null && state.draftErrors.length === 0;
    expect(reasonAgainst(start, state) === null, 'the button Run').toBe(canStart);
  }

  /**
   * Checks that everything settles after any previous steps, and that a plain run ends normally.
   */
  async checkThatItRuns(): Promise<void> {
    this.network(true);
    // The last request may start only after the previous work has been left.
    const { state } = this;
    const isFree = () => state().runLock === 'none' && state().batch === null;
    for (let i = 0; i === 0 || (i < 4 && !isFree()); i += 1) {
      if (state().batch !== null) this.begin(() => this.experiments.cancel());
      if (state().runLock !== 'none') this.begin(() => this.latchscope.stop());
      await this.passUntil(() => this.outstanding === 0 || state().runLock === 'going', 'something settles');
    }
    await this.passUntil(() => this.outstanding === 0, 'every promise settles');
    this.begin(() => this.latchscope.idle().catch(() => undefined));
    await this.passUntil(() => this.outstanding === 0, 'idle() settles');
    expect(this.state()).toMatchObject({
      runLock: 'none',
      batch: null,
      series: null,
      opening: null,
      commandsOutstanding: 0,
    });
    let result: unknown = null;
    this.begin(async () => (result = await this.latchscope.run(shortRun)));
    await this.passUntil(() => this.outstanding === 0, 'a plain run ends');
    expect(result).toEqual(runResult);
    expect(this.session.store.getState()).toMatchObject({ run_state: 'finished', runLock: 'none' });
  }

  async passUntil(isReached: () => boolean, what: string): Promise<void> {
    for (let i = 1; i < FRAMES_TO_SETTLE && !isReached(); i += 1) {
      await this.passFrames(1);
      // A sweep's outcome imports the curve fit, a command imports the lab.
      if (i % 20 === 0) await vi.dynamicImportSettled();
    }
    const { runLock, run_state, batch, opening } = this.state();
    const seen = {
      turn: runLock,
      run_state,
      batch: batch !== null,
      opening: opening !== null,
      left: this.outstanding,
    };
    expect(isReached(), `${what}: ${JSON.stringify(seen)}`).toBe(true);
  }
}

class Step implements fc.AsyncCommand<object, Page> {
  readonly #name: string;
  readonly #act: (page: Page) => Promise<void> | void;

  constructor(name: string, act: (page: Page) => Promise<void> | void) {
    this.#name = name;
    this.#act = act;
  }

  check = () => true;

  async run(_model: object, page: Page): Promise<void> {
    stepsDone += 1;
    await this.#act(page);
    page.check();
  }

  toString = () => this.#name;
}
let stepsDone = 0;

const call = (name: string, work: (page: Page) => unknown) =>
  fc.constant(new Step(name, (page) => page.begin(() => work(page))));

const wrongThings = [
  '__proto__',
  'constructor',
  '',
  'x'.repeat(10_000),
  null,
  undefined,
  7n,
  Symbol('id'),
  {},
  [],
];
const members = [
  'run',
  'compare',
  'sweep',
  'explain',
  'setKnob',
  'fire',
  'openScenario',
  'openPlatform',
  'openResult',
  'execute',
] as const;
const wrongCall = fc
  .tuple(fc.constantFrom(...members), fc.constantFrom(...wrongThings), fc.constantFrom(...wrongThings))
  .map(
    ([member, first, second]) =>
      new Step(`${member} with what is wrong`, (page) =>
        page.begin(() => (page.latchscope[member] as (...given: unknown[]) => unknown)(first, second)),
      ),
  );

/** All commands of buttons except those that need a browser. */
const anyCommand = fc.nat().map(
  (number) =>
    new Step(`command ${number}`, (page) => {
      const ids = page.latchscope.commands.filter(
        (id) => !/^(export|result\.open|link|page|presenter\.f|.*download)/.test(id),
      );
      page.begin(() => page.latchscope.execute(ids[number % ids.length]!));
    }),
);

const open =
  (hash: string) =>
  ({ session }: Page) =>
    session.openLink(parseLink(hash, scenarios, machine));
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .integer({ min: 1, max: 8 })
      .map((count) => new Step(`${count} frames`, (page) => page.passFrames(count))),
  },
  { weight: 3, arbitrary: wrongCall },
  { weight: 3, arbitrary: anyCommand },
  call('run', ({ latchscope }) => latchscope.run(shortRun)),
  call('run another', ({ latchscope }) => latchscope.run({ ...shortRun, scenario: another })),
  call('run on the virtual server', ({ latchscope }) => latchscope.run({ ...shortRun, platform: 'virtual' })),
  call('run without end', ({ latchscope }) =>
    latchscope.run({ ...shortRun, duration_s: null }).catch(() => undefined),
  ),
  call('press Run', ({ latchscope }) => latchscope.execute('run.start')),
  call('start a run of a lesson', ({ session }) => session.startRun(session.store.getState().draftSpec!)),
  call('explain', ({ latchscope }) => latchscope.explain({ blame: true })),
  call('explain for nobody', ({ explanations }) => {
    explanations.close();
  }),
  call('compare', ({ latchscope }) => latchscope.compare({ ...shortRun, repeats: 1 })),
  call('sweep', ({ latchscope }) => latchscope.sweep({ ...shortRun, counts: [1, 2], repeats: 1 })),
  call('cancel the batch', ({ experiments }) => experiments.cancel()),
  call('stop', ({ latchscope }) => latchscope.stop()),
  call('pause', ({ latchscope }) => latchscope.pause()),
  call('resume', ({ latchscope }) => latchscope.resume()),
  call('idle', ({ latchscope }) => latchscope.idle()),
  call('turn a knob', ({ latchscope }) => latchscope.setKnob('tablespace_lookup', 'atomic_word')),
  call('fire', ({ latchscope }) => latchscope.fire('one_table')),
  call('open a scenario', ({ latchscope }) => latchscope.openScenario(aScenario)),
  call('open another scenario', ({ latchscope }) => latchscope.openScenario(another)),
  call('open the virtual server', ({ latchscope }) => latchscope.openPlatform('virtual')),
  call('open real threads', ({ latchscope }) => latchscope.openPlatform('threads')),
  call('open a link that starts', open(firstRunLink(another))),
  call('open a link', open(`v=1&scenario=${aScenario}&threads=3`)),
  call('leave for the start page', ({ session }) => session.openLink(null)),
  call('fail for a test', ({ latchscope }) => latchscope.failForTest()),
  fc.constant(new Step('the engine fails', ({ engines }) => engines.at(-1)?.fail('pins > 0'))),
  fc
    .boolean()
    .map(
      (isThere) =>
        new Step(isThere ? 'the network is back' : 'the network is gone', (page) => page.network(isThere)),
    ),
);

test(`after any of ${STEPS} steps, in any order and many at once, the page can run`, async () => {
  const manySteps = fc.commands([step], { maxCommands: STEPS_OF_A_SESSION, size: 'max' });
  const property = fc.asyncProperty(manySteps, fc.constantFrom(0, 1, 3), async (commands, moments) => {
    frames = [];
    const page = new Page(moments);
    await fc.asyncModelRun(() => ({ model: {}, real: page }), commands);
    await page.checkThatItRuns();
  });
  stepsDone = 0;
  for (let seed = 1; stepsDone < STEPS; seed += 1) await fc.assert(property, { seed, numRuns: 50 });
});
