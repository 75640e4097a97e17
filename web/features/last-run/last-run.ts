// Stores the shown run for the tab's session, and offers the run that a reload has ended.
import type { KeptRun } from '../../contract/kept-run';
import { describeFaults } from '../../contract/fault';
import { parseRunSpec } from '../../contract/run-spec';
import { CommandRefused } from '../../engine-client/command-refused';
import type { CommandSource } from '../../session/command-registry';
import { storeWithSlice, type Feature } from '../../session/feature';
import type { Session } from '../../session/session';
import type { ExplorerState } from '../../session/store';
import { keptRunFrom, keptRunOf, textOfKeptRun } from './kept-run';

export interface LastRunSlice {
  /** The run that a reload ended, until it is used or dismissed, or another run starts. */
  lost_run: KeptRun | null;
}

export type LastRunState = ExplorerState & LastRunSlice;

const nothing_lost: LastRunSlice = { lost_run: null };

export const last_run_feature: Feature = { slice: nothing_lost };

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
const partsOf = ({ spec, marks, supposed, resultJson, run_state, opened }: LastRunState) => [
  ...[spec, marks, supposed, resultJson, opened],
  run_state === 'idle',
];

export class LastRun {
  readonly #session: Session;
  readonly #storage: TabStorage;
  readonly #store;
  /** The run stored by the previous page. The first run of this page replaces it in the storage. */
  readonly #lost: KeptRun | null;
  /** The shown run belongs to a series. */
  #is_of_series = false;
  /** The storage still contains `#lost`. */
  #is_lost_stored = true;

  constructor(session: Session, storage: TabStorage) {
    this.#session = session;
    this.#storage = storage;
    this.#store = storeWithSlice<LastRunState>(session.store);
    this.#lost = keptRunFrom(storage.read(), session.scenarios);
    this.#store.subscribe((state, before) => {
      this.#onChange(state, before);
    });
  }

  /**
   * Shows the offer.
   * REQUIRES: the page's link has been opened. A run that it starts would otherwise remove the
   * offer.
   */
  offer(): void {
    this.#store.setState({ lost_run: this.#lost });
  }

  /** Shows the result as if it came from a file. */
  async openResult(): Promise<void> {
    const lost = this.#store.getState().lost_run;
    if (lost?.result == null) return;
    await this.#session.files.openResult(lost.result, lost.file ?? KEPT_RESULT);
    this.#store.setState(nothing_lost);
  }

  /** Runs the same spec with all interactive changes. */
  async runAgain(): Promise<void> {
    const { lost_run, machine } = this.#store.getState();
    if (lost_run === null) return;
    const parsed = parseRunSpec(lost_run.spec, this.#session.scenarios, machine);
    if (!parsed.ok) {
      this.#store.setState({ refusals: describeFaults(parsed.errors) });
      throw new CommandRefused(parsed.errors);
    }
    this.#session.openView('explorer');
    await this.#session.startRun(parsed.value);
  }

  dismiss(): void {
    this.#store.setState(nothing_lost);
    if (this.#is_lost_stored) this.#storage.write(null);
  }

  #onChange(state: LastRunState, before: LastRunState): void {
    const is_started = before.turn === 'none' && state.turn === 'starting';
    if (is_started && state.lost_run !== null) this.#store.setState(nothing_lost);
    if (state.spec === null && before.spec === null) return;
    if (state.spec !== before.spec) this.#is_of_series = state.series !== null;
    const parts_before = partsOf(before);
    const is_same = partsOf(state).every((part, i) => part === parts_before[i]);
    if (!is_same && !this.#is_of_series) this.#keep(state);
  }

  #keep(state: LastRunState): void {
    this.#is_lost_stored = false;
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

export const lastRunCommands = (last_run: LastRun): CommandSource<LastRunState> => ({
  commands: () => [
    {
      id: 'last_run.open',
      title: 'Open last run’s result',
      isEnabled: ({ lost_run }) => lost_run?.result != null,
      unlessEnabled: 'no stored result',
      execute: () => last_run.openResult(),
    },
    {
      id: 'last_run.again',
      title: 'Repeat last run',
      isEnabled: ({ lost_run }) => lost_run !== null,
      unlessEnabled: 'no stored run',
      execute: () => last_run.runAgain(),
    },
    {
      id: 'last_run.dismiss',
      title: 'Close last-run note',
      isEnabled: ({ lost_run }) => lost_run !== null,
      unlessEnabled: 'no stored run',
      execute: () => {
        last_run.dismiss();
      },
    },
  ],
});
