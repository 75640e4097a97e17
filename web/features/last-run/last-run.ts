// Stores the shown run for the tab's session, and offers the run that a reload has ended.
import type { KeptRun } from '../../contract/kept-run';
import { describeFaults } from '../../contract/fault';
import { parseRunSpec } from '../../contract/run-spec';
import { CommandRefused } from '../../engine-client/command-refused';
import type { CommandSource } from '../../session/command-registry';
import type { Session } from '../../session/session';
import { keptRunFrom, keptRunOf, textOfKeptRun } from './kept-run';
import type { ExplorerState } from '../../session/store';

export interface LastRunSlice {
  /** The run that a reload ended, until it is used or dismissed, or another run starts. */
  lostRun: KeptRun | null;
}

declare module '../../session/store' {
  interface FeatureSlices extends LastRunSlice {}
}

export const nothingLost: LastRunSlice = { lostRun: null };

/** Storage that lasts until the tab is closed. */
export interface TabStorage {
  read: () => string | null;
  /**
   * null removes the text. Returns false if storage is full or forbidden; nothing is stored then.
   */
  write: (text: string | null) => boolean;
}

/** The name of an opened result that was stored for the session. */
const KEPT_RESULT = 'the run before the reload';

/** The parts of the state that a stored run depends on. */
const partsOf = ({ spec, marks, whatIfByHand, resultJson, run_state, opened }: ExplorerState) => [
  ...[spec, marks, whatIfByHand, resultJson, opened],
  run_state === 'idle',
];

export class LastRun {
  readonly #session: Session;
  readonly #storage: TabStorage;
  readonly #store;
  /** The run stored by the previous page. The first run of this page replaces it in the storage. */
  readonly #lost: KeptRun | null;
  /** The shown run belongs to a series. */
  #isOfSeries = false;
  /** The storage still contains `#lost`. */
  #isLostStored = true;

  constructor(session: Session, storage: TabStorage) {
    this.#session = session;
    this.#storage = storage;
    this.#store = session.store;
    this.#lost = keptRunFrom(storage.read(), session.scenarios);
    this.#store.subscribe((state, before) => this.#onChange(state, before));
  }

  /**
   * Shows the offer.
   * REQUIRES: the page's link has been opened. A run that it starts would otherwise remove the
   * offer.
   */
  offer(): void {
    this.#store.setState({ lostRun: this.#lost });
  }

  /** Shows the result as if it came from a file. */
  async openResult(): Promise<void> {
    const lost = this.#store.getState().lostRun;
    if (lost?.result == null) return;
    await this.#session.files.openResult(lost.result, lost.file ?? KEPT_RESULT);
    this.#store.setState(nothingLost);
  }

  /** Runs the same spec with all interactive changes. */
  async runAgain(): Promise<void> {
    const { lostRun, machine } = this.#store.getState();
    if (lostRun === null) return;
    const parsed = parseRunSpec(lostRun.spec, this.#session.scenarios, machine);
    if (!parsed.ok) {
      this.#store.setState({ refusals: describeFaults(parsed.errors) });
      throw new CommandRefused(parsed.errors);
    }
    this.#session.openView('explorer');
    await this.#session.startRun(parsed.value);
  }

  dismiss(): void {
    this.#store.setState(nothingLost);
    if (this.#isLostStored) this.#storage.write(null);
  }

  #onChange(state: ExplorerState, before: ExplorerState): void {
    const isStarted = before.runLock === 'none' && state.runLock === 'starting';
    if (isStarted && state.lostRun !== null) this.#store.setState(nothingLost);
    if (state.spec === null && before.spec === null) return;
    if (state.spec !== before.spec) this.#isOfSeries = state.series !== null;
    const partsBefore = partsOf(before);
    const isSame = partsOf(state).every((part, i) => part === partsBefore[i]);
    if (!isSame && !this.#isOfSeries) this.#keep(state);
  }

  #keep(state: ExplorerState): void {
    this.#isLostStored = false;
    const kept = keptRunOf(state);
    if (kept === null) {
      this.#storage.write(null);
      return;
    }
    const run = { ...kept, file: kept.file === KEPT_RESULT ? null : kept.file };
    // The spec alone is small, and it repeats the run.
    if (!this.#storage.write(textOfKeptRun(run)))
      this.#storage.write(textOfKeptRun({ ...run, result: null }));
  }
}

export const lastRunCommands = (lastRun: LastRun): CommandSource => ({
  commands: () => [
    {
      id: 'last_run.open',
      title: 'Open last run’s result',
      isEnabled: ({ lostRun }) => lostRun?.result != null,
      unlessEnabled: 'no stored result',
      execute: () => lastRun.openResult(),
    },
    {
      id: 'last_run.again',
      title: 'Repeat last run',
      isEnabled: ({ lostRun }) => lostRun !== null,
      unlessEnabled: 'no stored run',
      execute: () => lastRun.runAgain(),
    },
    {
      id: 'last_run.dismiss',
      title: 'Close last-run note',
      isEnabled: ({ lostRun }) => lostRun !== null,
      unlessEnabled: 'no stored run',
      execute: () => lastRun.dismiss(),
    },
  ],
});
