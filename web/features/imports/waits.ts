// Reads texts and files of a reader's server, in pieces, and answers which latches it waits at.
import { printable, type Fault } from '../../contract/fault';
import type { ImportReport } from '../../contract/import-report';
import { beginsAsOwnFile } from '../../contract/run-result-text';
import type { NamedText } from '../../analysis/imports/imported-waits';
import type { ShownStacks } from '../../analysis/imports/shown-stacks';
import type { Session } from '../../session/session';
import type { StreamedFile } from './reader';

/** The texts of a reader's server, as far as they are read. */
export interface WaitsReadings {
  /** null: nothing has been read. */
  report: ImportReport | null;
  /** The report for scripts leaves them out. */
  stacks: ShownStacks;
  /** The files that are being read, and the part that is done, from 0 to 1; null if none. */
  reading: { name: string; part: number } | null;
  /** Why the last files were not read; null if they were. */
  refused: { name: string; fault: Fault } | null;
}

const noStacks: ShownStacks = { threads: null, times: null };

export const nothingRead: WaitsReadings = { report: null, stacks: noStacks, reading: null, refused: null };

const loadReader = () => import('./reader');

/** Opens texts one after the other. Texts stay until they are removed: two snapshots are one answer. */
export class Waits {
  readonly #session: Session;
  #texts: readonly NamedText[] = [];
  #probedS: number | null = null;
  /** Ends the reading in progress. */
  #stop = new AbortController();

  constructor(session: Session) {
    this.#session = session;
  }

  /** How long the probe ran whose times the texts have; null: unknown. */
  get probedS(): number | null {
    return this.#probedS;
  }

  /** Answers again, with how long the probe ran. */
  async setProbedS(seconds: number | null): Promise<void> {
    this.#probedS = seconds;
    const texts = this.#texts;
    if (texts.length > 0)
      await this.#answer(texts[0]!.source, this.#stop.signal, () => Promise.resolve([...texts]));
  }

  /** Opens files that the reader gave: a file of the page's own kinds, or texts of a server. */
  async openDropped(files: readonly StreamedFile[]): Promise<void> {
    const isOfPage = await Promise.all(
      files.map(async (file) => this.#session.files.isAccepted(file) || (await isOwnFile(file))),
    );
    if (isOfPage.some(Boolean)) {
      await this.#session.files.openDroppedFiles(files);
      return;
    }
    this.#session.openView('waits');
    await this.open(files);
  }

  /** Reads files and adds them to the answer. If one of them is refused, all stays as it was. */
  async open(files: readonly StreamedFile[]): Promise<void> {
    this.#stop.abort();
    const stop = new AbortController();
    this.#stop = stop;
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    const name = files.map((file) => printable(file.name)).join(', ');
    this.#note({ reading: { name, part: 0 }, refused: null });
    const { readFile } = await loadReader();
    let done = 0;
    const onBytes = (read: number) => {
      done += read;
      if (!stop.signal.aborted) this.#note({ reading: { name, part: bytes === 0 ? 1 : done / bytes } });
    };
    await this.#answer(name, stop.signal, async () => {
      const texts: NamedText[] = [];
      for (const file of files) texts.push(await readFile(file, stop.signal, onBytes));
      return [...this.#texts, ...texts];
    });
  }

  /** Reads a text that the reader pasted. */
  async paste(text: string): Promise<void> {
    const number = this.#texts.filter(({ source }) => source.startsWith(PASTED)).length + 1;
    await this.openDropped([new File([text], `${PASTED} ${number}`)]);
  }

  /** Stops reading. Earlier texts stay. */
  cancel(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#note({ reading: null });
  }

  /** Removes a text, by its place in the list. */
  async remove(place: number): Promise<void> {
    const { source } = this.#texts[place]!;
    const others = this.#texts.filter((_, i) => i !== place);
    await this.#answer(source, this.#stop.signal, () => Promise.resolve(others));
  }

  clear(): void {
    this.cancel();
    this.#texts = [];
    this.#probedS = null;
    this.#note(nothingRead);
  }

  /** Shows what these texts say. If one of them is refused, or the reader stops, nothing changes. */
  async #answer(name: string, stop: AbortSignal, textsOf: () => Promise<NamedText[]>): Promise<void> {
    const { importReport, stacksOf, faultOf } = await loadReader();
    try {
      const texts = await textsOf();
      if (stop.aborted) return;
      const report = texts.length === 0 ? null : importReport(texts, { probedS: this.#probedS });
      const stacks = stacksOf(texts);
      this.#texts = texts;
      this.#note({ reading: null, refused: null, report, stacks });
    } catch (error) {
      if (stop.aborted) return;
      const fault = faultOf(error);
      if (fault === null) throw error;
      this.#note({ reading: null, refused: { name, fault } });
    }
  }

  #note(change: Partial<WaitsReadings>): void {
    this.#session.store.setState(({ waits }) => ({ waits: { ...waits, ...change } }));
  }
}

const PASTED = 'pasted text';

async function isOwnFile(file: StreamedFile): Promise<boolean> {
  // Opening a file that cannot be read names the fault.
  const beginning = await file
    .slice(0, 100)
    .text()
    .catch(() => '');
  return beginsAsOwnFile(beginning);
}
