// Opens files of the reader: a run result in place of a run, and measurements of a real server for
// comparison with the model.
import type { Draft } from '../contract/draft';
import { CommandRefused } from '../engine-client/engine';
import { printable, type Fault } from '../contract/fault';
import type { Scenario } from '../contract/manifest';
import { parseRunResult } from '../contract/run-result-file';
import { isMeasuredText, readFileText, type ChosenFile } from '../contract/run-result-text';
import { draftOf } from './draft';
import { nothingRefused, type ExplorerStore, type View } from './store';
import { historyRowsOf, shownOfResult } from './opened-result';
import type { ShownRun } from './shown-run';

/** What opening a file needs from the session. */
interface FileSession {
  store: ExplorerStore;
  scenarios: readonly Scenario[];
  shownRun: ShownRun;
  makeRoomFor: (draft: Draft) => Promise<boolean>;
  openView: (view: View) => void;
  openScenario: (id: string) => Promise<void>;
}

/** A kind of file that a feature opens. */
export interface FileKind {
  /** The end of its name, such as `.workload`. */
  ending: string;
  open: (file: ChosenFile) => Promise<void>;
}

export class OpenedFiles {
  readonly #session: FileSession;
  readonly #kinds: FileKind[] = [];

  constructor(session: FileSession) {
    this.#session = session;
  }

  /**
   * Shows a run result from a file, after stopping the current run. Rejects with the file's faults
   * and then changes nothing.
   */
  async openResult(text: string, name = 'a run result'): Promise<void> {
    const parsed = parseRunResult(text, this.#session.scenarios);
    if (!parsed.ok) this.#refuseFile(name, parsed.errors);
    const draft = draftOf(parsed.value.spec);
    // The reader may have requested something else meanwhile.
    if (!(await this.#session.makeRoomFor(draft))) return;
    this.#session.openView('explorer');
    const opened = { name };
    const { manifest } = this.#session.store.getState().scenario;
    const announcement = `Opened ${name}`;
    const shown = shownOfResult(parsed.value, manifest, opened);
    this.#session.store.setState({ ...shown, opened, resultJson: text, announcement });
    this.#session.shownRun.history.show(historyRowsOf(parsed.value));
  }

  /** Opens a run result from the reader's device. */
  async openResultFile(file: ChosenFile): Promise<void> {
    const name = printable(file.name);
    const text = await readFileText(file);
    if (!text.ok) this.#refuseFile(name, text.errors);
    if (isMeasuredText(text.value)) await this.#openMeasured(text.value, name);
    else await this.openResult(text.value, name);
  }

  /**
   * Shows measurements of a real server next to the model's figures. Rejects with the file's faults
   * and then changes nothing. The data does not leave this page.
   */
  async openMeasuredFile(file: ChosenFile): Promise<void> {
    const { A_MEASURED_FILE } = await import('../analysis/real-servers/measured-file');
    const name = printable(file.name);
    const text = await readFileText(file, A_MEASURED_FILE);
    if (!text.ok) this.#refuseFile(name, text.errors);
    await this.#openMeasured(text.value, name);
  }

  async #openMeasured(text: string, name: string): Promise<void> {
    const { parseMeasuredFile } = await import('../analysis/real-servers/measured-file');
    const { view, scenario: shown } = this.#session.store.getState();
    const parsed = parseMeasuredFile(text, {
      manifests: this.#session.scenarios.map(({ manifest }) => manifest),
      shown: view === 'front' ? null : shown.manifest,
    });
    if (!parsed.ok) this.#refuseFile(name, parsed.errors);
    const { scenario, server } = parsed.value;
    if (view === 'front') await this.#session.openScenario(scenario);
    if (view !== 'sweep') this.#session.openView('explorer');
    this.#session.store.setState(({ measuredFiles }) => ({
      ...nothingRefused,
      measuredFiles: { ...measuredFiles, [scenario]: { name, server } },
      announcement: `Opened ${name}`,
    }));
  }

  /** Removes the measured file of this bug from the page. */
  closeMeasuredFile(): void {
    this.#session.store.setState(({ measuredFiles, scenario }) => ({
      measuredFiles: { ...measuredFiles, [scenario.manifest.id]: null },
    }));
  }

  /** Opens files of this kind by a feature, from now on. */
  accept(kind: FileKind): void {
    this.#kinds.push(kind);
  }

  /** Returns whether a feature opens files with such a name. */
  isAccepted({ name }: Pick<ChosenFile, 'name'>): boolean {
    return this.#kindOf(name) !== undefined;
  }

  #kindOf(name: string): FileKind | undefined {
    return this.#kinds.find(({ ending }) => name.toLowerCase().endsWith(ending));
  }

  /** Opens a file that was dropped on the page. */
  async openDroppedFiles(files: readonly ChosenFile[]): Promise<void> {
    const [file] = files;
    if (file === undefined) return;
    if (files.length > 1) this.#refuseFile(`${files.length} files`, [tooManyFiles(files.length)]);
    const kind = this.#kindOf(file.name);
    if (kind === undefined) await this.openResultFile(file);
    else await kind.open(file);
  }

  /** Publishes why a file was not opened, for the reader. */
  #refuseFile(name: string, errors: Fault[]): never {
    this.#session.store.setState({ fileRefused: { name, errors } });
    throw new CommandRefused(errors);
  }

  /** Closes the result. */
  closeResult(): void {
    if (this.#session.store.getState().opened !== null) this.#session.shownRun.leave();
  }
}

const tooManyFiles = (count: number): Fault => ({
  field: 'files',
  value: String(count),
  allowed: 'one file at a time',
});
