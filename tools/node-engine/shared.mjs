// Memory that the threads of the command line share. All threads wait on one word, `CHANGES`. Each
// change increments it and wakes them all, which costs little because they are few.

/** Words of the program's memory. */
const CHANGES = 0;
const IS_RUNNING = 1;
const FIRST_SIGNAL = 2;
const FILE_BYTES = 3;
const PROGRAM_WORDS = 4;
const FILE_BYTES_MAX = 4096;

/** Words of the memory of one connection, per direction: bytes written and read so far. */
const WRITTEN = 0;
const READ = 1;
const HAS_ENDED = 4;
const EXIT_CODE = 5;
const CONNECTION_WORDS = 8;
/** Bytes on the way in one direction, as in a pipe. A power of two, because the counters wrap. */
const CAPACITY = 65_536;

/** State of the whole program. */
export class Program {
  /** @param {SharedArrayBuffer} [memory] of another thread's `Program` */
  constructor(memory = new SharedArrayBuffer(4 * PROGRAM_WORDS + FILE_BYTES_MAX)) {
    this.memory = memory;
    this.words = new Int32Array(memory, 0, PROGRAM_WORDS);
    this.file = new Uint8Array(memory, 4 * PROGRAM_WORDS);
  }

  announceChange() {
    Atomics.add(this.words, CHANGES, 1);
    Atomics.notify(this.words, CHANGES);
  }

  /**
   * Sleeps until `look` returns something other than undefined, and returns it.
   * @template T
   * @param {() => T | undefined} look
   * @returns {T}
   */
  await(look) {
    for (;;) {
      const seen = Atomics.load(this.words, CHANGES);
      const found = look();
      if (found !== undefined) return found;
      Atomics.wait(this.words, CHANGES, seen);
    }
  }

  get isRunning() {
    return Atomics.load(this.words, IS_RUNNING) !== 0;
  }
  runBegins() {
    Atomics.store(this.words, IS_RUNNING, 1);
  }

  /** The number of the first signal during a run; 0: none. */
  get firstSignal() {
    return Atomics.load(this.words, FIRST_SIGNAL);
  }
  set firstSignal(number) {
    Atomics.store(this.words, FIRST_SIGNAL, number);
  }

  /** The file to remove if the program ends at once; '': none. */
  get fileToRemove() {
    const bytes = Atomics.load(this.words, FILE_BYTES);
    return Buffer.from(this.file.slice(0, bytes)).toString();
  }
  set fileToRemove(path) {
    Atomics.store(this.words, FILE_BYTES, 0);
    const bytes = Buffer.from(path);
    if (bytes.length > FILE_BYTES_MAX) return;
    this.file.set(bytes);
    Atomics.store(this.words, FILE_BYTES, bytes.length);
  }
}

/** The connection between a worker and a copy of it. Both have an object over the same memory. */
export class Connection {
  #incoming;
  #outgoing;

  /**
   * @param {Program} program
   * @param {{ isOfCopy: boolean, memory?: SharedArrayBuffer }} side `isOfCopy`: whether this is the
   *   copy's end; `memory`: of the other end's object
   */
  constructor(program, { isOfCopy, memory }) {
    this.memory = memory ?? new SharedArrayBuffer(4 * CONNECTION_WORDS + 2 * CAPACITY);
    this.program = program;
    this.words = new Int32Array(this.memory, 0, CONNECTION_WORDS);
    const directions = [0, 1].map((direction) => ({
      counters: this.words.subarray(2 * direction, 2 * direction + 2),
      bytes: new Uint8Array(this.memory, 4 * CONNECTION_WORDS + direction * CAPACITY, CAPACITY),
    }));
    [this.#incoming, this.#outgoing] = isOfCopy ? directions : directions.reverse();
  }

  get hasEnded() {
    return Atomics.load(this.words, HAS_ENDED) !== 0;
  }
  get exitCode() {
    return Atomics.load(this.words, EXIT_CODE);
  }
  end(exitCode) {
    Atomics.store(this.words, EXIT_CODE, exitCode);
    Atomics.store(this.words, HAS_ENDED, 1);
    this.program.announceChange();
  }

  /** Waits for bytes and returns how many it has read; 0: the other process has gone. */
  read(target) {
    const { counters, bytes } = this.#incoming;
    const read = Atomics.load(counters, READ);
    const count = this.program.await(() => {
      const hasEnded = this.hasEnded; // Read before the counters, so that no byte is missed.
      return onTheWay(counters) || (hasEnded ? 0 : undefined);
    });
    const part = Math.min(count, target.length);
    for (let i = 0; i < part; ++i) target[i] = bytes[(read + i) & (CAPACITY - 1)];
    Atomics.store(counters, READ, read + part);
    this.program.announceChange();
    return part;
  }

  /** Waits for room and returns how many bytes it has written; 0: the other process has gone. */
  write(source) {
    const { counters, bytes } = this.#outgoing;
    const written = Atomics.load(counters, WRITTEN);
    const room = this.program.await(() => (this.hasEnded ? 0 : CAPACITY - onTheWay(counters) || undefined));
    const part = Math.min(room, source.length);
    for (let i = 0; i < part; ++i) bytes[(written + i) & (CAPACITY - 1)] = source[i];
    Atomics.store(counters, WRITTEN, written + part);
    this.program.announceChange();
    return part;
  }
}

const onTheWay = (counters) => (Atomics.load(counters, WRITTEN) - Atomics.load(counters, READ)) >>> 0;
