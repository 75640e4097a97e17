// Implements the run lock: one run at a time, however it starts. Does not depend on the engine or
// the page.
import { CommandRefused } from '../engine-client/engine';

/**
 *   none --take--> starting --hasBegun--> going --end--> none
 *                     |                     | isStopping
 *                     +------callOff-----> ending --end--> none
 */
export type RunLockStage = 'none' | 'starting' | 'going' | 'ending';

/** The conditions that prevent another run. */
export interface RunLockState {
  runLock: RunLockStage;
  /** Name of the running series, such as a sweep. */
  series: string | null;
  /** The page shows something else as soon as the run has ended. */
  opening: object | null;
}

/**
 * Returns why no run may start now; null if one may. Buttons use it, too. `by` is the reader or the
 * current series.
 */
export function refusalToStart(
  { runLock, series, opening }: RunLockState,
  by: 'reader' | 'series' = 'reader',
): CommandRefused | null {
  const refuse = (value: string, sentence: string) =>
    new CommandRefused([{ field: 'run', value, allowed: 'start after the run stops' }], sentence);
  if (by === 'reader' && series !== null)
    return refuse(series, `A ${series} is still running. Cancel it first.`);
  if (opening !== null) return refuse('leaving', 'The previous run is still stopping. Wait until it stops.');
  if (runLock !== 'none') return refuse(runLock, 'A run is still active. Stop it first.');
  return null;
}

/** Returns why another run cannot replace the current one now: it is just starting or stopping. */
export function refusalToReplace(taken: RunLockState): CommandRefused | null {
  const isChanging = taken.opening !== null || ['starting', 'ending'].includes(taken.runLock);
  return isChanging ? refusalToStart({ ...taken, series: null }) : null;
}

/** Returns why a reader cannot move the current run to another moment: it belongs to a series. */
export function refusalInSeries({ series }: RunLockState): CommandRefused | null {
  return series === null ? null : refusalToStart({ runLock: 'none', opening: null, series });
}

/** The run was stopped or left before it began. */
export class RunCalledOff extends CommandRefused {
  constructor() {
    const error = {
      field: 'run',
      value: 'cancelled',
      allowed: 'a run that starts',
    };
    super([error], 'The run was stopped before it began.');
  }
}

type TicketStage = Exclude<RunLockStage, 'none'> | 'over';

/** Holds the run lock for one run. */
export class RunLockTicket {
  /** Settles when the run is over. */
  readonly over: Promise<void>;
  /** Settles when the run has begun or is over. */
  readonly begun: Promise<void>;
  readonly #calledOff: Promise<void>;
  readonly #onChange: (stage: TicketStage) => void;
  #stage: TicketStage = 'starting';
  #hasBegun = false;
  #isCalledOff = false;
  #settleOver!: () => void;
  #settleBegun!: () => void;
  #settleCalledOff!: () => void;

  constructor(onChange: (stage: TicketStage) => void) {
    this.#onChange = onChange;
    this.over = new Promise((resolve) => (this.#settleOver = resolve));
    this.begun = new Promise((resolve) => (this.#settleBegun = resolve));
    this.#calledOff = new Promise((resolve) => (this.#settleCalledOff = resolve));
  }

  get stage(): TicketStage {
    return this.#stage;
  }

  /** Rejects with RunCalledOff as soon as the run is called off. */
  unlessCalledOff<T>(work: Promise<T>): Promise<T> {
    const refused = this.#calledOff.then(() => {
      throw new RunCalledOff();
    });
    return Promise.race([work, refused]);
  }

  throwIfCalledOff(): void {
    if (this.#isCalledOff) throw new RunCalledOff();
  }

  hasBegun(): void {
    this.#hasBegun = this.#goOn('starting', 'going');
    this.#settleBegun();
  }

  endUnlessBegun(): void {
    if (!this.#hasBegun) this.end();
  }

  /** Prevents a starting run from beginning. */
  callOff(): void {
    if (!this.#goOn('starting', 'ending')) return;
    this.#isCalledOff = true;
    this.#settleCalledOff();
  }

  /** Marks the run as stopping, unless `stopping` rejects. */
  async isStopping(stopping: Promise<void>): Promise<void> {
    this.#goOn('going', 'ending');
    try {
      await stopping;
    } catch (error) {
      // The run continues as before.
      this.#goOn('ending', 'going');
      throw error;
    }
  }

  end(): void {
    if (this.#stage === 'over') return;
    this.#stage = 'over';
    this.#onChange('over');
    this.#settleBegun();
    this.#settleOver();
  }

  #goOn(from: TicketStage, to: TicketStage): boolean {
    if (this.#stage !== from) return false;
    this.#stage = to;
    this.#onChange(to);
    return true;
  }
}

export class RunLock {
  readonly #onChange: (stage: RunLockStage) => void;
  #holder: RunLockTicket | null = null;

  constructor(onChange: (stage: RunLockStage) => void) {
    this.#onChange = onChange;
  }

  /** The run that holds the lock. */
  get run(): RunLockTicket | null {
    return this.#holder;
  }

  get stage(): RunLockStage {
    const stage = this.#holder?.stage ?? 'over';
    return stage === 'over' ? 'none' : stage;
  }

  /** REQUIRES: `refusalToStart` has just returned null, without an await in between. */
  take(): RunLockTicket {
    if (this.#holder !== null) throw new Error('Two runs hold the run lock.');
    const ticket = new RunLockTicket((stage) => {
      if (stage === 'over') this.#holder = null;
      this.#onChange(this.stage);
    });
    this.#holder = ticket;
    this.#onChange('starting');
    return ticket;
  }
}
