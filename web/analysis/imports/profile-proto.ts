// Checks the structure of a pprof profile before it is decoded. The decoder trusts lengths and
// numbers: a cut-off file would lose samples silently, and a long number would take minutes.
import { ImportRefused } from './reader';

/** What a field contains: a message, numbers one after the other, or text. Others are numbers. */
type Content = Message | 'numbers' | 'text';
type Message = ReadonlyMap<number, Content>;

const NUMBERS_ONLY: Message = new Map();
const SAMPLE: Message = new Map<number, Content>([
  [1, 'numbers'],
  [2, 'numbers'],
  [3, NUMBERS_ONLY],
]);
const PROFILE: Message = new Map<number, Content>([
  [1, NUMBERS_ONLY],
  [2, SAMPLE],
  [3, NUMBERS_ONLY],
  [4, new Map([[4, NUMBERS_ONLY]])],
  [5, NUMBERS_ONLY],
  [6, 'text'],
  [11, NUMBERS_ONLY],
  [13, 'numbers'],
]);

/** Decoded, each takes about 100 bytes. */
const VALUES_MAX = 2_000_000;
const VARINT_BYTES_MAX = 10;
const VARINT = 0;
const LENGTH_DELIMITED = 2;

/** Throws `ImportRefused` unless every field ends in its message and has the type of the format. */
export function requireProfile(bytes: Uint8Array): void {
  new Scan(bytes).message(0, bytes.length, PROFILE);
}

class Scan {
  readonly #bytes: Uint8Array;
  #at = 0;
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  message(from: number, end: number, fields: Message) {
    this.#at = from;
    while (this.#at < end) {
      const tag = this.#varint(end);
      const field = Math.floor(tag / 8);
      const type = tag % 8;
      const content = fields.get(field);
      if (tag >= 0x80 || field === 0) throw refusal(this.#at);
      if (type === VARINT) {
        if (content !== undefined && content !== 'numbers') throw refusal(this.#at);
        this.#varint(end);
        continue;
      }
      const length = type === LENGTH_DELIMITED ? this.#varint(end) : Infinity;
      const contentEnd = this.#at + length;
      if (contentEnd > end || content === undefined) throw refusal(this.#at);
      if (content === 'numbers') while (this.#at < contentEnd) this.#varint(contentEnd);
      else if (content !== 'text') this.message(this.#at, contentEnd, content);
      this.#at = contentEnd;
    }
  }

  #varint(end: number): number {
    this.#values += 1;
    if (this.#values > VALUES_MAX) {
      throw new ImportRefused(1, `${VALUES_MAX.toLocaleString('en')} values or more`, 'a smaller profile');
    }
    let value = 0;
    for (let read = 0; read < VARINT_BYTES_MAX && this.#at < end; read += 1) {
      const byte = this.#bytes[this.#at]!;
      this.#at += 1;
      value += (byte % 0x80) * 2 ** (7 * read);
      if (byte < 0x80) return value;
    }
    throw refusal(this.#at);
  }
}

const refusal = (at: number) =>
  new ImportRefused(1, `byte ${at.toLocaleString('en')} of a binary file`, 'a whole profile of pprof');
