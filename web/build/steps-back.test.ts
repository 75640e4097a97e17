// Tests that a paused server creates checkpoints shortly before its position. Uses the compiled
// engine, and runs each task of the worker by hand.
import { beforeAll, expect, test } from 'vitest';

import { all_scenarios } from '../contract/all-scenarios';
import { defaultRunSpec, type RunSpec } from '../contract/run-spec';
import { small_server } from '../contract/small-server-fixtures';
import { machine } from '../contract/test-fixtures';
import type { VirtualModule } from '../engine-client/engine-calls';
import createEngine from '../engine-client/gen/engine-virtual.mjs';
import type { Report, Request } from '../engine-client/virtual-protocol';
import { VirtualServer } from '../engine-client/virtual-server';

/** The host's clock is computed from the engine's work, so that each run of a test is the same. */
const EVENTS_PER_MS = 1_000;
const HASHES_PER_MS = 100;
const FRAME_MS = 16;
const READ_EVERY_NS = 250_000;
const BUDGET_BYTES = 512 * 2 ** 20;
/** Distance from a checkpoint, in events. */
const FAR = 150_000;

const { manifest } = all_scenarios[0]!;
const defaultSpec = defaultRunSpec(manifest, machine, 'virtual');
const spec: RunSpec = {
  ...defaultSpec,
  parameters: { ...defaultSpec.parameters, ...small_server[manifest.id] },
  threads: 16,
  duration_s: 0.06,
  interval_s: 0.01,
};

type WithoutId<R> = R extends unknown ? Omit<R, 'id'> : never;

class ServerByHand {
  /** All executed events, including repeated ones. */
  eventsDone = 0;
  readonly reports: Report[] = [];
  readonly #server: VirtualServer;
  readonly #module: VirtualModule;
  #hashes = 0;
  #waitedMs = 0;
  #turn: (() => void) | null = null;
  #lastId = 0;
  #rewinds = 0;

  static async open(): Promise<ServerByHand> {
    return new ServerByHand((await createEngine({})) as VirtualModule);
  }

  private constructor(module: VirtualModule) {
    this.#module = module;
    this.#server = new VirtualServer(
      { wasmMemory: module.wasmMemory, ccall: this.#counted.bind(this) },
      {
        report: (report) => {
          this.reports.push(report);
          if (report.kind === 'rewound') this.#rewinds = report.rewinds;
        },
        schedule: (turn, when) => {
          this.#turn = turn;
          if (when === 'next_frame') this.#waitedMs += FRAME_MS;
        },
        nowMs: () => this.#waitedMs + this.eventsDone / EVENTS_PER_MS + this.#hashes / HASHES_PER_MS,
      },
    );
  }

  #counted(...call: Parameters<VirtualModule['ccall']>): unknown {
    const [name] = call;
    if (name === 'latchscope_hash_of_memory') this.#hashes += 1;
    const before = this.events;
    const answer = this.#module.ccall(...call);
    if (name === 'latchscope_run_slice') this.eventsDone += this.events - before;
    return answer;
  }

  /** Position of the run. */
  get events(): number {
    return this.#module.ccall('latchscope_events', 'number', [], []) as number;
  }

  tell(request: WithoutId<Request>): void {
    this.#lastId += 1;
    this.#server.handle({ ...request, id: this.#lastId });
  }

  /**
   * Runs tasks until there are none, or until `until` holds. The page acknowledges each reading at
   * once.
   */
  passTurns(until: () => boolean = () => false): void {
    while (this.#turn !== null && !until()) {
      const turn = this.#turn;
      const toldBefore = this.reports.length;
      this.#turn = null;
      turn();
      for (const report of this.reports.slice(toldBefore)) {
        if (report.kind === 'snapshot' && report.reading !== null)
          this.#server.handle({ kind: 'receipt', rewinds: this.#rewinds });
      }
    }
  }

  begin(budgetBytes = BUDGET_BYTES): void {
    this.tell({ kind: 'keep_keyframes', budgetBytes });
    this.tell({ kind: 'read_every', runNs: READ_EVERY_NS });
    this.tell({ kind: 'post', command: 'create', values: [JSON.stringify(spec)] });
    this.passTurns();
    this.tell({ kind: 'post', command: 'start', values: [] });
  }

  /** Continues the run far beyond its newest checkpoint, and freezes it there. */
  standFarFromMoments(budgetBytes = BUDGET_BYTES): void {
    this.begin(budgetBytes);
    this.passTurns(() => this.toldOf('kept_readings').length > 1);
    const { events } = this;
    this.passTurns(() => this.events - events > FAR);
    this.tell({ kind: 'freeze', isFrozen: true });
  }

  /** Returns the number of events that the step executed. */
  stepBack(): number {
    const before = this.eventsDone;
    this.tell({ kind: 'rewind', to: { events_back: 1 } });
    this.passTurns(() => this.toldOf('answer').some(({ id }) => id === this.#lastId));
    return this.eventsDone - before;
  }

  toldOf<K extends Report['kind']>(kind: K): Extract<Report, { kind: K }>[] {
    return this.reports.filter((report): report is Extract<Report, { kind: K }> => report.kind === kind);
  }

  /** The page's copy of the telemetry block. */
  get shown(): Buffer {
    return Buffer.from(this.toldOf('snapshot').at(-1)!.snapshot.block.buffer);
  }

  resultOfRest(): string {
    this.tell({ kind: 'freeze', isFrozen: false });
    this.passTurns();
    this.tell({ kind: 'ask', question: 'result', values: [] });
    return this.toldOf('answer').at(-1)!.answer as string;
  }
}

let undisturbed: string;
beforeAll(async () => {
  const server = await ServerByHand.open();
  server.begin();
  undisturbed = server.resultOfRest();
});

test('a step back from where the server stands takes few events, the first one too', async () => {
  const hasty = await ServerByHand.open();
  hasty.standFarFromMoments();
  expect(hasty.stepBack()).toBeGreaterThan(FAR);

  const server = await ServerByHand.open();
  server.standFarFromMoments();
  const { events, shown } = server;
  const rewinds = server.toldOf('rewound').length;
  server.passTurns();
  expect([server.events, server.toldOf('rewound').length]).toEqual([events, rewinds]);
  expect(server.shown.compare(shown)).toBe(0);
  expect(server.stepBack()).toBeLessThan(FAR / 6);
  expect(server.events).toBe(events - 1);
  expect(server.resultOfRest()).toBe(undisturbed);
});

test('after the end of a run, too', async () => {
  const server = await ServerByHand.open();
  server.begin();
  expect(server.resultOfRest()).toBe(undisturbed);
  const { furthest_events } = server.toldOf('snapshot').at(-1)!.snapshot.readings.past!;
  server.passTurns();
  const { eventsDone } = server;
  server.tell({ kind: 'rewind', to: { events: furthest_events } });
  server.passTurns();
  expect(server.events).toBe(furthest_events);
  expect(server.eventsDone - eventsDone).toBeLessThan(FAR / 8);
  expect(server.resultOfRest()).toBe(undisturbed);
});

test('whoever wants the server meanwhile has it where it stands', async () => {
  for (const turns of [1, 2, 5]) {
    const server = await ServerByHand.open();
    server.standFarFromMoments();
    const { events } = server;
    let passed = 0;
    server.passTurns(() => server.events < events && passed++ === turns);
    expect(server.events).toBeLessThan(events);
    server.tell({ kind: 'ping' });
    expect(server.events).toBeLessThan(events);
    server.tell({ kind: 'step', step: { events: 1 } });
    expect(server.events).toBe(events + 1);
    expect(server.resultOfRest()).toBe(undisturbed);
  }
});

test('where holding the present moment costs the one before, the server stands all the same, and goes on as it would have', async () => {
  const roomy = await ServerByHand.open();
  roomy.standFarFromMoments();
  const { bytes, keyframes } = roomy.toldOf('snapshot').at(-1)!.snapshot.readings.past!;
  expect(keyframes).toBe(2);

  const server = await ServerByHand.open();
  // Space for the first checkpoint and one more, not for three.
  server.standFarFromMoments(Math.round(bytes * 1.1));
  const { events } = server;
  server.passTurns();
  expect(server.events).toBe(events);
  expect(server.toldOf('failed')).toEqual([]);
  server.stepBack();
  expect(server.events).toBe(events - 1);
  expect(server.resultOfRest()).toBe(undisturbed);
});
