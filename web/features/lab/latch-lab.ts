// The latch lab: what the reader writes, what the engine says of it, by an engine of its own beside the run that is shown. The parts that
// only the lab needs are loaded when it is opened.
import type { StoreApi } from 'zustand/vanilla';

import type { LabCheckOptions, LabCheckResult } from '../../contract/lab-results';
import { CommandRefused, reasonsOf } from '../../engine-client/command-refused';
import type { BesideEngine } from '../../session/beside-engine';
import type { LabMeasurement, LabSettings, LabSlice, LabState, LabWork } from './lab-state';
import type { LinkedLab } from './lab-link';

/** What the lab needs of the page. */
export interface LabPorts {
  store: StoreApi<LabState>;
  /** An engine that has carried out nothing yet. */
  engine: () => BesideEngine;
  show: () => void;
}

const loadWork = () => import('./lab-work');

export class LatchLab {
  readonly #ports: LabPorts;
  /** The one that is at work. */
  #engine: BesideEngine | null = null;

  constructor(ports: LabPorts) {
    this.#ports = ports;
  }

  get lab(): LabSlice['lab'] {
    return this.#ports.store.getState().lab;
  }

  /** Takes over what a link says of the lab. */
  openLink({ linked_lab }: { linked_lab?: Partial<LinkedLab> }): void {
    if (linked_lab !== undefined) this.#set({ ...linked_lab, check: null, measurement: null, refusal: [] });
  }

  /** Begins with another latch of lab/latches/. */
  open(latch: string): void {
    this.cancel();
    this.#set({ latch, source: null, check: null, measurement: null, refusal: [] });
  }

  /** What the reader has written before the eyes, ready for work on it; null: what is shown. */
  begin(source: string | null): void {
    this.cancel();
    if (source !== null) this.edit(source);
    this.#ports.show();
  }

  edit(source: string): void {
    this.#set({ source });
  }

  set(change: Partial<LabSettings>): void {
    this.#set({ settings: { ...this.lab.settings, ...change } });
  }

  choose(latch: string, is_chosen: boolean): void {
    const others = this.lab.references.filter((chosen) => chosen !== latch);
    this.#set({ references: is_chosen ? [...others, latch] : others });
  }

  /** Looks for a schedule under which the latch goes wrong. Rejects with why there is none to look for. */
  async check(options: LabCheckOptions = {}): Promise<LabCheckResult> {
    const work = await loadWork();
    return this.#work('check', async (engine, tell) => {
      this.#set({ check: null });
      const check = await work.checkLatch(this.lab, options, engine, tell);
      return { change: { check }, outcome: check.result };
    });
  }

  /** Lets threads compete for the latch, and for the references beside it. */
  async measure(): Promise<LabMeasurement> {
    const work = await loadWork();
    return this.#work('measure', async (engine, tell) => {
      const measurement = await work.measureLatches(this.lab, engine, tell, (so_far) => {
        this.#set({ measurement: so_far });
      });
      return { change: { measurement }, outcome: measurement };
    });
  }

  /** Looks at another step of the fault. */
  lookAt(step: number): void {
    const { check } = this.lab;
    if (check === null) return;
    const last = check.walk.length - 1;
    this.#set({ check: { ...check, step: Math.max(0, Math.min(step, last)) } });
  }

  /** What came out so far stays. */
  cancel(): void {
    this.#dispose();
    if (this.lab.work !== null) this.#set({ work: null });
  }

  async #work<Outcome>(
    kind: LabWork['kind'],
    carryOut: (
      engine: BesideEngine,
      tell: (work: Omit<LabWork, 'kind'>) => void,
    ) => Promise<{ change: Partial<LabSlice['lab']>; outcome: Outcome }>,
  ): Promise<Outcome> {
    this.#dispose();
    const engine = this.#ports.engine();
    this.#engine = engine;
    const isCurrent = () => this.#engine === engine;
    this.#set({ work: { kind, sentence: '', part_done: 0 }, refusal: [] });
    this.#ports.show();
    try {
      const { change, outcome } = await carryOut(engine, (work) => {
        if (isCurrent()) this.#set({ work: { kind, ...work } });
      });
      if (!isCurrent()) throw new CommandRefused('It was cancelled.');
      this.#set(change);
      return outcome;
    } catch (error) {
      if (!isCurrent()) throw new CommandRefused('It was cancelled.');
      this.#set({ refusal: reasonsOf(error) });
      throw error;
    } finally {
      if (isCurrent()) this.cancel();
    }
  }

  #dispose(): void {
    this.#engine?.dispose();
    this.#engine = null;
  }

  #set(change: Partial<LabSlice['lab']>): void {
    this.#ports.store.setState({ lab: { ...this.lab, ...change } });
  }
}
