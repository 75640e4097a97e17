// Reads profiles of contention in the formats of pprof: binary, and text of Go, C++ and Java.
import { Profile } from 'pprof-format';

import { frameName } from './frame-name';
import { plainCount } from './plain-number';
import { requireProfile } from './profile-proto';
import {
  ImportRefused,
  requireFewer,
  type Imported,
  type ImportForm,
  type ImportReader,
  type LatchTime,
} from './reader';

/** What /debug/pprof/mutex?debug=1 of a Go program and /contentionz of a C++ program print. */
export const contentionText: ImportForm = {
  id: 'pprof_text',
  title: 'contention profile of pprof as text',
  recognizes: (head) => HEADER.test(head.find((text) => text.trim() !== '') ?? ''),
  open: () => new ContentionReader(),
};

/** Far more than profiles of large servers have. */
const BYTES_MAX = 64 * 1024 * 1024;
const NS_PER_UNIT: ReadonlyMap<string, number> = new Map([
  ['nanoseconds', 1],
  ['microseconds', 1e3],
  ['milliseconds', 1e6],
  ['seconds', 1e9],
]);

export const isGzip = (bytes: Uint8Array) => bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Reads a compressed profile from a file of its own. Throws `ImportRefused`. */
export async function readProfile(file: { size: number; arrayBuffer: () => Promise<ArrayBuffer> }) {
  if (file.size > BYTES_MAX) throw tooLarge();
  const contents = await readPprof(new Uint8Array(await file.arrayBuffer()));
  return { form: { id: 'pprof', title: 'profile of contention from pprof' }, contents };
}

/** Reads a binary profile, compressed or not. Its rows have line 0. Throws `ImportRefused`. */
export async function readPprof(bytes: Uint8Array): Promise<Imported[]> {
  const plain = isGzip(bytes) ? await inflated(bytes) : bytes;
  if (plain.length > BYTES_MAX) throw tooLarge();
  requireProfile(plain);
  return [{ kind: 'times', rows: rowsOf(Profile.decode(plain)) }];
}

const tooLarge = () =>
  new ImportRefused(1, `a profile of more than ${BYTES_MAX / 1024 / 1024} MiB`, 'a smaller profile');

async function inflated(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream('gzip'));
  const reader = stream.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const piece = await reader.read().catch(() => null);
    if (piece === null) throw new ImportRefused(1, 'a damaged or cut-off gzip file', 'a whole file');
    if (piece.done) break;
    length += piece.value.length;
    if (length > BYTES_MAX) {
      await reader.cancel();
      throw tooLarge();
    }
    pieces.push(piece.value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function rowsOf(profile: Profile): LatchTime[] {
  const text = (index: number | bigint) =>
    required(profile.stringTable.strings[Number(index)], `text ${index}`);
  const types = profile.sampleType.map(({ type, unit }) => ({ type: text(type), unit: text(unit) }));
  const countAt = types.findIndex(({ type }) => type === 'contentions');
  const delayAt = types.findIndex(({ type }) => type === 'delay');
  const nsPerUnit = NS_PER_UNIT.get(types[delayAt]?.unit ?? '');
  if (countAt < 0 || nsPerUnit === undefined) {
    const found = types.map(({ type, unit }) => `${type} in ${unit}`).join(', ');
    throw new ImportRefused(1, `a profile of ${found || 'nothing'}`, 'a profile of contentions and delay');
  }
  const functions = new Map(profile.function.map(({ id, name }) => [Number(id), frameName(text(name), 1)]));
  const locations = new Map(
    profile.location.map(({ id, address, line }): [number, string[]] => [
      Number(id),
      // The innermost of inlined functions is first.
      line.length === 0
        ? [addressName(BigInt(address))]
        : line.map(({ functionId }) => required(functions.get(Number(functionId)), `function ${functionId}`)),
    ]),
  );
  const times = new TimeTable();
  for (const { locationId, value } of profile.sample) {
    const count = safeNumber(value[countAt]);
    const totalNs = safeNumber(value[delayAt]) * nsPerUnit;
    const frames = locationId.flatMap((id) => required(locations.get(Number(id)), `location ${id}`));
    times.add(frames, count, totalNs, 0);
  }
  return times.rows(1);
}

/** A profile that was cut off refers to what is missing. */
function required<Value>(value: Value | undefined, what: string): Value {
  if (value === undefined) throw new ImportRefused(1, `a profile without ${what}`, 'a whole profile');
  return value;
}

const addressName = (address: bigint) => `0x${address.toString(16)}`;

function safeNumber(value: number | bigint | undefined): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new ImportRefused(1, `a value of ${String(value)}`, 'a count and a time for each stack');
}

/** Adds up times of equal stacks. */
class TimeTable {
  readonly #byFrames = new Map<string, LatchTime>();

  add(frames: string[], count: number, totalNs: number, line: number) {
    const key = frames.join('\n');
    const time = this.#byFrames.get(key);
    if (time === undefined) {
      requireFewer(this.#byFrames.size, line);
      this.#byFrames.set(key, { line, what: 'wait', frames, count, totalNs, maxNs: null });
      return;
    }
    time.count += count;
    time.totalNs += totalNs;
  }

  rows(lastLine: number): LatchTime[] {
    if (this.#byFrames.size === 0) throw new ImportRefused(lastLine, 'no contention', 'at least one stack');
    return [...this.#byFrames.values()];
  }
}

const HEADER = /^--- (mutex:|contention:|contentionz \d+ ---)\s*$/;
const ATTRIBUTE = /^([a-z/][a-z/ ]{0,40}?) *= *(\S{1,40})$/;
const SAMPLE = /^(\d+) +(\d+) @((?: 0x[0-9a-f]+)*)$/;
/** The place of the function follows. */
const COMMENT = /^#\s*0x[0-9a-f]+\s+(\S+)/;
const LOCATION = /^0x([0-9a-f]+)\s+(\S.*)$/;
const LINE_MAX = 100_000;

interface TextSample {
  line: number;
  delay: number;
  count: number;
  addresses: string[];
  /** From the comments below the sample. */
  names: string[];
}

class ContentionReader implements ImportReader {
  #isGo = false;
  readonly #attributes = new Map<string, { value: string; line: number }>();
  readonly #samples: TextSample[] = [];
  readonly #names = new Map<string, string>();
  #part: 'before' | 'attributes' | 'samples' | 'after' = 'before';

  line(text: string, number: number) {
    const line = text.trim();
    if (line === '' || this.#part === 'after') return;
    if (line.length > LINE_MAX) throw new ImportRefused(number, line, 'a line of a contention profile');
    if (this.#part === 'before') {
      this.#isGo = !line.startsWith('--- contentionz');
      this.#part = 'attributes';
    } else if (line.startsWith('---')) {
      this.#part = 'after'; // The map of the memory.
    } else if (this.#part === 'attributes' && line.includes('=')) {
      this.#attribute(line, number);
    } else {
      this.#part = 'samples';
      this.#sample(line, number);
    }
  }

  end(lines: number): Imported[] {
    const { countFactor, nsPerUnit } = this.#scale(lines);
    const times = new TimeTable();
    for (const { line, delay, count, addresses, names } of this.#samples) {
      const frames =
        names.length > 0 ? names : addresses.map((address) => this.#names.get(address) ?? address);
      times.add(frames, count * countFactor, Math.round(delay * countFactor * nsPerUnit), line);
    }
    return [{ kind: 'times', rows: times.rows(lines) }];
  }

  #attribute(line: string, number: number) {
    const [, name, value] = ATTRIBUTE.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new ImportRefused(number, line, 'an attribute');
    this.#attributes.set(name, { value, line: number });
  }

  #sample(line: string, number: number) {
    const sample = SAMPLE.exec(line);
    if (sample !== null) {
      const [, delay, count, addresses] = sample;
      this.#samples.push({
        line: number,
        delay: plainCount(delay!, number),
        count: plainCount(count!, number),
        addresses: addresses!
          .split(' ')
          .filter((address) => address !== '')
          .map(canonicalAddress),
        names: [],
      });
      return;
    }
    const comment = COMMENT.exec(line);
    const location = LOCATION.exec(line);
    if (comment !== null) this.#samples.at(-1)?.names.push(frameName(comment[1]!, number));
    else if (location !== null)
      this.#names.set(canonicalAddress(location[1]!), frameName(location[2]!, number));
    else if (!line.startsWith('#')) {
      throw new ImportRefused(number, line, 'a delay, a count and a stack, such as 2100 3 @ 0x45e851');
    }
  }

  /** Delays are in cycles, or in a unit that the profile names. */
  #scale(lastLine: number): { countFactor: number; nsPerUnit: number } {
    const periodAttribute = this.#attributes.get('sampling period');
    const period =
      periodAttribute === undefined ? 1 : plainCount(periodAttribute.value, periodAttribute.line);
    // Until 1.19, Go prints samples. Since 1.20 it prints estimates, with the same period.
    if (this.#isGo && period !== 1) {
      throw new ImportRefused(
        periodAttribute!.line,
        `sampling period ${period}`,
        'the binary profile, without debug=1, if not every contention is sampled',
      );
    }
    const resolution = this.#attributes.get('resolution');
    const cyclesPerS = this.#attributes.get('cycles/second');
    if (resolution !== undefined) {
      const nsPerUnit = NS_PER_UNIT.get(resolution.value);
      if (nsPerUnit === undefined) throw new ImportRefused(resolution.line, resolution.value, 'microseconds');
      return { countFactor: Math.max(1, period), nsPerUnit };
    }
    const perS = cyclesPerS === undefined ? 0 : plainCount(cyclesPerS.value, cyclesPerS.line);
    if (perS === 0)
      throw new ImportRefused(cyclesPerS?.line ?? lastLine, 'no rate of cycles', 'cycles/second = …');
    return { countFactor: Math.max(1, period), nsPerUnit: 1e9 / perS };
  }
}

const canonicalAddress = (text: string) => `0x${text.replace(/^0x/, '').replace(/^0+(?=.)/, '')}`;
