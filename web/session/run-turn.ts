// Who may run: one run at a time, whoever starts it. Knows neither the engine nor the page.
import { CommandRefused } from '../engine-client/engine';

/**
 *   none --take--> starting --hasBegun--> going --end--> none
 *                     |                     | isStopping
 *                     +------callOff-----> ending --end--> none
 */
export type TurnStage = 'none' | 'starting' | 'going' | 'ending';

/** What stands in the way of another run. */
export interface TurnTaken {
  turn: TurnStage;
  /** What has one run after the other, such as a sweep, by its name. */
  series: string | null;
  /** The page goes over to something else as soon as no run goes on. */
  opening: object | null;
}

/** Why nobody may start a run now; null if somebody may. Buttons ask this, too. `by`: the reader, or the series that goes on. */
export function refusalToStart(
  { turn, series, opening }: TurnTaken,
  by: 'reader' | 'series' = 'reader',
): CommandRefused | null {
  const refuse = (value: string, sentence: string) =>
    new CommandRefused([{ field: 'run', value, allowed: 'a start while no run goes on' }], sentence);
  if (by === 'reader' && series !== null)
    return refuse(series, `A ${series} is still going. Cancel it first.`);
  if (opening !== null)
    return refuse('leaving', 'The page is still leaving the run before. Wait until it has.');
  if (turn !== 'none') return refuse(turn, 'A run is still going. Stop it first.');
  return null;
}

/** Why the run that goes on may not make room for another one now: somebody has only just started or stopped it. */
export function refusalToReplace(taken: TurnTaken): CommandRefused | null {
  const is_changing = taken.opening !== null || ['starting', 'ending'].includes(taken.turn);
  return is_changing ? refusalToStart({ ...taken, series: null }) : null;
}

/** The run has not begun, because somebody has stopped it or left it before. */
export class RunCalledOff extends CommandRefused {
  constructor() {
    const error = {
      field: 'run',
      value: 'called off',
      allowed: 'a run that is left alone until it has begun',
    };
    super([error], 'The run was stopped before it had begun.');
  }
}

type TicketStage = Exclude<TurnStage, 'none'> | 'over';

/** A run, from when its turn has come until the next one may start. */
export class RunTicket {
  /** Settles when it is over. */
  readonly over: Promise<void>;
  /** Settles when it goes on or is over. */
  readonly begun: Promise<void>;
  readonly #called_off: Promise<void>;
  readonly #onChange: (stage: TicketStage) => void;
  #stage: TicketStage = 'starting';
  #has_begun = false;
  #is_called_off = false;
  #settleOver!: () => void;
  #settleBegun!: () => void;
  #settleCalledOff!: () => void;

  constructor(onChange: (stage: TicketStage) => void) {
    this.#onChange = onChange;
    this.over = new Promise((resolve) => (this.#settleOver = resolve));
    this.begun = new Promise((resolve) => (this.#settleBegun = resolve));
    this.#called_off = new Promise((resolve) => (this.#settleCalledOff = resolve));
  }

  get stage(): TicketStage {
    return this.#stage;
  }

  /** Rejects with RunCalledOff as soon as the run is called off. */
  unlessCalledOff<T>(work: Promise<T>): Promise<T> {
    const refused = this.#called_off.then(() => {
      throw new RunCalledOff();
    });
    return Promise.race([work, refused]);
  }

  throwIfCalledOff(): void {
    if (this.#is_called_off) throw new RunCalledOff();
  }

  hasBegun(): void {
    this.#has_begun = this.#goOn('starting', 'going');
    this.#settleBegun();
  }

  endUnlessBegun(): void {
    if (!this.#has_begun) this.end();
  }

  /** A run that is starting will not begin. */
  callOff(): void {
    if (!this.#goOn('starting', 'ending')) return;
    this.#is_called_off = true;
    this.#settleCalledOff();
  }

  /** A run that goes on is on its way to its end, unless `stopping` rejects. */
  async isStopping(stopping: Promise<void>): Promise<void> {
    this.#goOn('going', 'ending');
    try {
      await stopping;
    } catch (error) {
      // It goes on as before.
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

export class RunTurn {
  readonly #onChange: (stage: TurnStage) => void;
  #holder: RunTicket | null = null;

  constructor(onChange: (stage: TurnStage) => void) {
    this.#onChange = onChange;
  }

  /** The run whose turn it is. */
  get run(): RunTicket | null {
    return this.#holder;
  }

  get stage(): TurnStage {
    const stage = this.#holder?.stage ?? 'over';
    return stage === 'over' ? 'none' : stage;
  }

  /** Call it only where `refusalToStart` is null, in the same breath. */
  take(): RunTicket {
    if (this.#holder !== null) throw new Error('Two runs at a time.');
    const ticket = new RunTicket((stage) => {
      if (stage === 'over') this.#holder = null;
      this.#onChange(this.stage);
    });
    this.#holder = ticket;
    this.#onChange('starting');
    return ticket;
  }
}
