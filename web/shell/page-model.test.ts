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
import { refusalToStart } from '../session/run-turn';
import type { Explanations } from '../features/explain/explanations';
import type { Experiments } from '../features/experiments/experiments';
import type { Session } from '../session/session';
import { workersFor } from '../session/run-series';
import { pageForTest } from './page-fixture';
import type { PageState } from './page-state';
import { fil_mutex, machine, scenarios, undo_read } from '../contract/test-fixtures';

const STEPS = 10_000;
const STEPS_OF_A_SESSION = 100;
/** More than any command, run or batch of these engines takes. */
const FRAMES_TO_SETTLE = 2_000;

const [a_scenario, another] = [fil_mutex.manifest.id, undo_read.manifest.id];
const short_run = { version: 1, scenario: a_scenario, duration_s: 0.01 };
const run_result = {
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
  readonly state: () => PageState;
  readonly latchscope: Automation;
  outstanding = 0;
  #now_ms = 0;
  #is_loading_possible = true;
  #held_loads: (() => void)[] = [];

  constructor(moments: number) {
    const load: EngineLoader = async ({ onFailure }) => {
      if (!this.#is_loading_possible) throw new Error('no network');
      await new Promise<void>((resolve) => this.#held_loads.push(resolve));
      const engine = new FakeEngine({ runResult: run_result, moments });
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
    new Promise((resolve) => {
      resolve(work());
    }).then(settled, settled);
  }

  network(is_there: boolean): void {
    this.#is_loading_possible = is_there;
  }

  async passFrames(count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      this.#now_ms += 16;
      for (const loaded of this.#held_loads.splice(0)) loaded();
      for (const engine of this.engines) engine.passMoment();
      for (const callback of frames.splice(0)) callback(this.#now_ms);
      for (let turns = 0; turns < 6; turns += 1) await Promise.resolve();
    }
  }

  /** Checks the conditions that hold after every step. */
  check(): void {
    const state = this.state();
    const at_work = this.engines.filter(
      ({ isTerminated, runState }) => !isTerminated && !['idle', 'finished', 'failed'].includes(runState),
    );
    const live = at_work.filter(({ askedToExplain }) => askedToExplain.length === 0);
    // Explanations run in addition to the shown run.
    const explaining = at_work.length - live.length;
    expect(explaining, 'explanations').toBeLessThanOrEqual(state.explaining.stage === 'under_way' ? 1 : 0);
    // A comparison or a sweep is a batch; a what-if study has parallel runs, too.
    const is_one = state.batch === null && state.series !== 'what_if';
    const most = is_one ? 1 : workersFor(state.draft.platform, machine);
    expect(live.length, 'runs at a time').toBeLessThanOrEqual(most);
    if (state.turn === 'none' && state.batch === null) expect(live.length, 'runs that nobody owns').toBe(0);
    // The page never requests a run that the engine must refuse.
    expect(this.engines.flatMap(({ refused }) => refused).filter((name) => name === 'create')).toEqual([]);
    const start = this.session.commands.find('run.start');
    const can_start = refusalToStart(state) === null && state.draftErrors.length === 0;
    expect(reasonAgainst(start, state) === null, 'the button Run').toBe(can_start);
  }

  /**
   * Checks that everything settles after any previous steps, and that a plain run ends normally.
   */
  async checkThatItRuns(): Promise<void> {
    this.network(true);
    // The last request may start only after the previous work has been left.
    const { state } = this;
    const isFree = () => state().turn === 'none' && state().batch === null;
    for (let i = 0; i === 0 || (i < 4 && !isFree()); i += 1) {
      if (state().batch !== null) this.begin(() => this.experiments.cancel());
      if (state().turn !== 'none') this.begin(() => this.latchscope.stop());
      await this.passUntil(() => this.outstanding === 0 || state().turn === 'going', 'something settles');
    }
    await this.passUntil(() => this.outstanding === 0, 'every promise settles');
    this.begin(() => this.latchscope.idle().catch(() => undefined));
    await this.passUntil(() => this.outstanding === 0, 'idle() settles');
    expect(this.state()).toMatchObject({
      turn: 'none',
      batch: null,
      series: null,
      opening: null,
      commandsOutstanding: 0,
    });
    let result: unknown = null;
    this.begin(async () => (result = await this.latchscope.run(short_run)));
    await this.passUntil(() => this.outstanding === 0, 'a plain run ends');
    expect(result).toEqual(run_result);
    expect(this.session.store.getState()).toMatchObject({ run_state: 'finished', turn: 'none' });
  }

  async passUntil(is_reached: () => boolean, what: string): Promise<void> {
    for (let i = 1; i < FRAMES_TO_SETTLE && !is_reached(); i += 1) {
      await this.passFrames(1);
      // A sweep's outcome imports the curve fit, a command imports the lab.
      if (i % 20 === 0) await vi.dynamicImportSettled();
    }
    const { turn, run_state, batch, opening } = this.state();
    const seen = {
      turn,
      run_state,
      batch: batch !== null,
      opening: opening !== null,
      left: this.outstanding,
    };
    expect(is_reached(), `${what}: ${JSON.stringify(seen)}`).toBe(true);
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
    steps_done += 1;
    await this.#act(page);
    page.check();
  }

  toString = () => this.#name;
}
let steps_done = 0;

const call = (name: string, work: (page: Page) => unknown) =>
  fc.constant(
    new Step(name, (page) => {
      page.begin(() => work(page));
    }),
  );

const wrong_things = [
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
const wrong_call = fc
  .tuple(fc.constantFrom(...members), fc.constantFrom(...wrong_things), fc.constantFrom(...wrong_things))
  .map(
    ([member, first, second]) =>
      new Step(`${member} with what is wrong`, (page) => {
        page.begin(() => (page.latchscope[member] as (...given: unknown[]) => unknown)(first, second));
      }),
  );

/** All commands of buttons except those that need a browser. */
const any_command = fc.nat().map(
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
  { weight: 3, arbitrary: wrong_call },
  { weight: 3, arbitrary: any_command },
  call('run', ({ latchscope }) => latchscope.run(short_run)),
  call('run another', ({ latchscope }) => latchscope.run({ ...short_run, scenario: another })),
  call('run on the virtual server', ({ latchscope }) =>
    latchscope.run({ ...short_run, platform: 'virtual' }),
  ),
  call('run without end', ({ latchscope }) =>
    latchscope.run({ ...short_run, duration_s: null }).catch(() => undefined),
  ),
  call('press Run', ({ latchscope }) => latchscope.execute('run.start')),
  call('start a run of a lesson', ({ session }) => session.startRun(session.store.getState().draftSpec!)),
  call('explain', ({ latchscope }) => latchscope.explain({ blame: true })),
  call('explain for nobody', ({ explanations }) => {
    explanations.close();
  }),
  call('compare', ({ latchscope }) => latchscope.compare({ ...short_run, repeats: 1 })),
  call('sweep', ({ latchscope }) => latchscope.sweep({ ...short_run, counts: [1, 2], repeats: 1 })),
  call('cancel the batch', ({ experiments }) => experiments.cancel()),
  call('stop', ({ latchscope }) => latchscope.stop()),
  call('pause', ({ latchscope }) => latchscope.pause()),
  call('resume', ({ latchscope }) => latchscope.resume()),
  call('idle', ({ latchscope }) => latchscope.idle()),
  call('turn a knob', ({ latchscope }) => latchscope.setKnob('tablespace_lookup', 'atomic_word')),
  call('fire', ({ latchscope }) => latchscope.fire('one_table')),
  call('open a scenario', ({ latchscope }) => latchscope.openScenario(a_scenario)),
  call('open another scenario', ({ latchscope }) => latchscope.openScenario(another)),
  call('open the virtual server', ({ latchscope }) => latchscope.openPlatform('virtual')),
  call('open real threads', ({ latchscope }) => latchscope.openPlatform('threads')),
  call('open a link that starts', open(firstRunLink(another))),
  call('open a link', open(`v=1&scenario=${a_scenario}&threads=3`)),
  call('leave for the start page', ({ session }) => session.openLink(null)),
  call('fail for a test', ({ latchscope }) => latchscope.failForTest()),
  fc.constant(
    new Step('the engine fails', ({ engines }) => {
      engines.at(-1)?.fail('pins > 0');
    }),
  ),
  fc.boolean().map(
    (is_there) =>
      new Step(is_there ? 'the network is back' : 'the network is gone', (page) => {
        page.network(is_there);
      }),
  ),
);

test(`after any of ${STEPS} steps, in any order and many at once, the page can run`, async () => {
  const many_steps = fc.commands([step], { maxCommands: STEPS_OF_A_SESSION, size: 'max' });
  const property = fc.asyncProperty(many_steps, fc.constantFrom(0, 1, 3), async (commands, moments) => {
    frames = [];
    const page = new Page(moments);
    await fc.asyncModelRun(() => ({ model: {}, real: page }), commands);
    await page.checkThatItRuns();
  });
  steps_done = 0;
  for (let seed = 1; steps_done < STEPS; seed += 1) await fc.assert(property, { seed, numRuns: 50 });
});
