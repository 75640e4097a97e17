// Reads a text of any known form, in pieces: recognizes its form from the first lines.
import { eventsWaits } from './events-waits';
import { innodbMutex } from './innodb-mutex';
import { innodbStatus } from './innodb-status';
import { klockstat, ulockstat } from './klockstat';
import { contentionText } from './pprof';
import { ImportRefused, type Imported, type ImportForm, type ImportReader } from './reader';
import { countedStacks, debuggerStacks, foldedStacks } from './stacks';
import { sysbench } from './sysbench';

/** In the order of the message that lists them. */
export const importForms: readonly ImportForm[] = [
  eventsWaits,
  innodbStatus,
  innodbMutex,
  sysbench,
  debuggerStacks,
  countedStacks,
  foldedStacks,
  klockstat,
  ulockstat,
  contentionText,
];

/** Enough to see the first thread of a debugger's list, after a line for each of a thousand threads. */
const HEAD_LINES = 4000;
const HEAD_CHARACTERS = 1024 * 1024;
const LINE_CHARACTERS_MAX = 1024 * 1024;
/** The mysql client prints it when it connects, and for `status`. */
const SERVER_LINE = 'Server version:';

/** The content of a text, and its form. */
export interface ImportedText {
  form: Pick<ImportForm, 'id' | 'title'>;
  contents: Imported[];
}

export class TextImport {
  readonly #forms: readonly ImportForm[];
  /** The first line has the byte order mark, if there is one. */
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #form: ImportForm | null = null;
  #reader: ImportReader | null = null;
  /** Lines before the form is known. */
  #head: string[] = [];
  #headCharacters = 0;
  #lines = 0;
  /** What the client says of the server; null: nothing. */
  #server: string | null = null;
  /** The beginning of a line whose end is still to come. */
  #rest = '';

  constructor(forms: readonly ImportForm[] = importForms) {
    this.#forms = forms;
  }

  /** Reads the next piece of the text in UTF-8. Throws `ImportRefused`. */
  write(piece: Uint8Array): void {
    this.#read(this.#decoded(piece));
  }

  #read(piece: string): void {
    const lines = piece.split('\n');
    lines[0] = this.#rest + lines[0]!;
    this.#rest = lines.pop()!;
    for (const line of lines) this.#line(line);
    this.#requireShort(this.#rest, this.#lines + 1);
  }

  end(): ImportedText {
    this.#read(this.#decoded());
    if (this.#rest !== '') this.#line(this.#rest);
    this.#rest = '';
    if (this.#reader === null) this.#recognize();
    const { id, title } = this.#form!;
    const contents = this.#reader!.end(this.#lines);
    if (this.#server !== null) contents.push({ kind: 'server', version: this.#server });
    return { form: { id, title }, contents };
  }

  #decoded(piece?: Uint8Array): string {
    try {
      return this.#decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new ImportRefused(
        this.#lines + 1,
        'bytes that are not UTF-8',
        'text in UTF-8, from this line on',
      );
    }
  }

  #line(text: string): void {
    this.#lines += 1;
    this.#requireShort(text, this.#lines);
    if (text.includes('\0')) throw new ImportRefused(this.#lines, 'a zero byte', 'text');
    const line = this.#lines === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (line.startsWith(SERVER_LINE)) this.#server ??= line.slice(SERVER_LINE.length).trim();
    if (this.#reader !== null) {
      this.#reader.line(line, this.#lines);
      return;
    }
    this.#head.push(line);
    this.#headCharacters += line.length;
    if (this.#head.length >= HEAD_LINES || this.#headCharacters >= HEAD_CHARACTERS) this.#recognize();
  }

  #requireShort(text: string, line: number): void {
    if (text.length > LINE_CHARACTERS_MAX)
      throw new ImportRefused(
        line,
        `${text.length.toLocaleString('en')} characters or more`,
        `at most ${LINE_CHARACTERS_MAX.toLocaleString('en')} in a line`,
      );
  }

  #recognize(): void {
    const head = this.#head;
    this.#head = [];
    const form = this.#forms.find((one) => one.recognizes(head));
    if (form === undefined) {
      const first = head.findIndex((line) => line.trim() !== '');
      const titles = this.#forms.map(({ title }) => title).join('; ');
      throw new ImportRefused(
        Math.max(1, first + 1),
        head[first] ?? '',
        `the beginning of one of: ${titles}`,
      );
    }
    this.#form = form;
    this.#reader = form.open();
    for (const [index, line] of head.entries()) this.#reader.line(line, index + 1);
  }
}
