// The words of a latch, read as its algorithm reads them (wasm-engine/latch/: ttas_event_mutex.h, rw_lock.h, os_mutex.h).
import { latch_classes, rw_lock_x_lock_decr } from '../contract/gen/latch-classes';

type LatchClass = (typeof latch_classes)[number];
type WordReader = (value: number) => string;

/** A word of a latch at one moment. */
export interface WordInWords {
  name: string;
  /** Such as 0x1fffffff; null if nobody has touched it since the latch is watched. */
  hex: string | null;
  meaning: string;
}

const DECR = rw_lock_x_lock_decr;
const HALF = DECR / 2;

const count = (number: number, one: string) => `${number} ${one}${number === 1 ? '' : 's'}`;

const readers: Record<LatchClass['name'], Record<string, WordReader>> = {
  TTASEventMutex: {
    lock_word: (value) => (value === 0 ? 'free' : 'held'),
    waiters: (value) => (value === 0 ? 'nobody to wake' : 'somebody may sleep'),
  },
  RwLock: {
    lock_word: (value) => rwLockWord(value | 0),
    waiters: (value) => (value === 0 ? 'nobody to wake' : 'somebody may sleep'),
    writer_thread: (value) => (value === 0 ? 'no writer' : `writer: thread ${value}`),
    reader_thread: (value) => (value === 0 ? 'no reader' : 'XOR of the readers’ thread numbers'),
    last_s_site: () => 'where S was taken last',
  },
  OsMutex: {
    word: (value) =>
      ['free', 'held, nobody sleeps', 'held, somebody may sleep'][value] ?? 'not a value of this word',
  },
  // Its words are what its writer has declared.
  LabLatch: {},
};

function rwLockWord(word: number): string {
  if (word === DECR) return 'free';
  if (word > HALF) return count(DECR - word, 'reader');
  if (word === HALF) return 'SX held';
  if (word > 0) return `SX held, ${count(HALF - word, 'reader')}`;
  if (word === 0) return 'X held';
  if (word > -HALF) return `a writer waits for ${count(-word, 'reader')} to leave`;
  return 'X held more than once';
}

/** All words of a class, in the order in which they lie on the line. `values`: by number of the word, null if not known. */
export function latchWords(latch_class: number, values: readonly (number | null)[]): WordInWords[] {
  const known = latch_classes[latch_class];
  if (known === undefined) return [];
  return known.words.map((name, i) => {
    const value = values[i] ?? null;
    if (value === null) return { name, hex: null, meaning: 'not touched yet' };
    return { name, hex: hexOf(value), meaning: readers[known.name][name]?.(value) ?? '' };
  });
}

const hexOf = (value: number) => `0x${value.toString(16).padStart(8, '0')}`;
