// Reads the section SEMAPHORES of SHOW ENGINE INNODB STATUS: the threads that wait for a latch.
import { ImportRefused, type ImportForm, type WaitingThreads } from './reader';

const TITLE = 'INNODB MONITOR OUTPUT';
const SECTION = 'SEMAPHORES';
const WAITS = /^--Thread \S+ has waited at \S+ line \d+ for (\S+) seconds the semaphore:/;
const LATCH = /^(?:Mutex at|S-lock on|X-lock on|SX-lock on|Mutex spin|.*-lock on RW-latch at)/;

export const innodbStatus: ImportForm = {
  id: 'innodb_status',
  title: 'SHOW ENGINE INNODB STATUS',
  recognizes: (head) => head.some((text) => text.includes(TITLE) || text.trim() === SECTION),
  open: () => {
    const reader = new InnodbStatus();
    return {
      // The client's batch mode prints the line ends as two characters.
      line: (text, number) => {
        const parts = text.includes('\\n') ? text.split('\\n') : [text];
        for (const part of parts) reader.line(part.trimEnd(), number);
      },
      end: (lines) => [reader.end(lines)],
    };
  },
};

class InnodbStatus {
  readonly #threads: WaitingThreads['threads'][number][] = [];
  #isInSection = false;
  #hasSection = false;
  #hasEnd = false;
  /** A thread whose latch the next line names. */
  #waiting: { line: number; waitedS: number } | null = null;

  line(text: string, line: number): void {
    if (text === SECTION) {
      this.#hasSection = true;
      this.#isInSection = true;
      return;
    }
    if (!this.#isInSection) return;
    if (this.#waiting !== null) {
      this.#latch(text, line, this.#waiting);
      return;
    }
    const [, seconds] = WAITS.exec(text) ?? [];
    if (seconds !== undefined) this.#waiting = { line, waitedS: secondsOf(seconds, line) };
    else if (text.startsWith('--Thread'))
      throw new ImportRefused(line, text, '--Thread … has waited at … line … for … seconds the semaphore:');
    else if (SECTION_TITLE.test(text)) {
      this.#isInSection = false;
      this.#hasEnd = true;
    }
  }

  end(lines: number): WaitingThreads {
    if (!this.#hasSection) throw new ImportRefused(lines, 'the end of the text', `the section ${SECTION}`);
    if (this.#waiting !== null || !this.#hasEnd)
      throw new ImportRefused(
        lines,
        'the end of the text',
        `the section after ${SECTION}: the text is cut off`,
      );
    return { kind: 'waiting', threads: this.#threads };
  }

  #latch(text: string, line: number, waiting: { line: number; waitedS: number }): void {
    const latch = LATCH.test(text) ? latchName(text) : null;
    if (latch === null)
      throw new ImportRefused(
        line,
        text,
        'the mutex or the lock that the thread of the line before waits for',
      );
    this.#threads.push({ ...waiting, latch });
    this.#waiting = null;
  }
}

/** Titles of sections are in capitals. */
const SECTION_TITLE = /^[A-Z][A-Z /]{5,}$/;

function secondsOf(text: string, line: number): number {
  if (!/^\d+(?:\.\d+)?$/.test(text))
    throw new ImportRefused(line, `${text} seconds`, 'a number of seconds such as 12 or 0.25');
  return Number(text);
}

/** Returns the name of a mutex, or else the place in the source at which the latch was created. */
export function latchName(text: string): string | null {
  const [, quoted] = /^Mutex at \S+ '([^']+)'/.exec(text) ?? [];
  if (quoted !== undefined) return quoted.replace(/^&/, '');
  const [, mutex] = /^Mutex at \S+ Mutex (\w+) created /.exec(text) ?? [];
  if (mutex !== undefined) return mutex;
  const [, file, place] = /created (?:in )?(?:file )?(\S+?)(?: line |:)(\d+)/.exec(text) ?? [];
  if (file === undefined) return null;
  return `${file.slice(file.lastIndexOf('/') + 1)}:${place}`;
}
