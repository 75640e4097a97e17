// Interprets the words of a latch as its algorithm does (wasm-engine/latch/: ttas_event_mutex.h,
// rw_lock.h, os_mutex.h).
import { counted } from './format';
import { latch_classes, rw_lock_x_lock_decr } from '../contract/gen/latch-classes';
import type { LineAccess } from '../contract/telemetry-states';
import { lab_line_element_bits } from '../contract/lab-program';
import type { LabWord } from '../contract/latch-program';

type LatchClass = (typeof latch_classes)[number];
type WordReader = (value: number) => string;

/** A word of a latch at one moment. */
export interface WordInWords {
  name: string;
  /**
   * Such as 0x1fffffff; null if no thread has touched the word since the latch has been watched.
   */
  hex: string | null;
  meaning: string;
}

const DECR = rw_lock_x_lock_decr;
const HALF = DECR / 2;

const readers: Record<LatchClass['name'], Record<string, WordReader>> = {
  TTASEventMutex: {
    lock_word: (value) => (value === 0 ? 'free' : 'held'),
    waiters: (value) => (value === 0 ? 'no one to wake' : 'waiters may be asleep'),
  },
  RwLock: {
    lock_word: (value) => rwLockWord(value | 0),
    waiters: (value) => (value === 0 ? 'no one to wake' : 'waiters may be asleep'),
    writer_thread: (value) => (value === 0 ? 'no writer' : `writer: thread ${value}`),
    reader_thread: (value) => (value === 0 ? 'no reader' : 'XOR of the readers’ thread numbers'),
    last_s_site: () => 'where S was last acquired',
  },
  OsMutex: {
    word: (value) => ['free', 'held, no sleepers', 'held, waiters may be asleep'][value] ?? 'unknown value',
  },
  // The author of a lab latch declares its words. They are read as numbers.
  LabLatch: {},
};

function rwLockWord(word: number): string {
  if (word === DECR) return 'free';
  if (word > HALF) return counted(DECR - word, 'reader');
  if (word === HALF) return 'SX held';
  if (word > 0) return `SX held, ${counted(HALF - word, 'reader')}`;
  if (word === 0) return 'X held';
  if (word > -HALF) return `a writer waits for ${counted(-word, 'reader')}`;
  return 'X held recursively';
}

/**
 * Identifies the words of a latch: its class and, for a lab latch, the line and the program's
 * declarations.
 */
interface WordsOf extends Pick<LineAccess, 'latch_class' | 'line'> {
  declared: readonly DeclaredWord[];
}

/** A word of a lab program. */
export type DeclaredWord = Pick<LabWord, 'name' | 'line' | 'elements' | 'per_thread' | 'packed'>;

/**
 * Returns all words of a line in memory order. `values` are indexed by word number; null: unknown.
 */
export function latchWords(of: WordsOf, values: readonly (number | null)[]): WordInWords[] {
  const known = latch_classes[of.latch_class];
  if (known === undefined) return [];
  const names: readonly (string | null)[] = isOfLab(of.latch_class)
    ? labWordNames(of, values.length)
    : known.words;
  return names.flatMap((name, i): WordInWords[] => {
    if (name === null) return [];
    const value = values[i] ?? null;
    if (value === null) return [{ name, hex: null, meaning: 'not accessed yet' }];
    const read = readers[known.name][name] ?? String;
    return [{ name, hex: hexOf(value), meaning: read(value) }];
  });
}

/** Returns one word in words. REQUIRES: the word is on the line, so it has a name. */
export function latchWord(of: WordsOf, word: number, value: number): WordInWords {
  const values = Array.from({ length: word + 1 }, (_, i) => (i === word ? value : null));
  const words = latchWords(of, values);
  return (
    words.find(({ hex }) => hex !== null) ?? {
      name: `word ${word}`,
      hex: hexOf(value),
      meaning: String(value),
    }
  );
}

/** Reports whether it is a lab latch: only the author knows the meaning of its words. */
export const isOfLab = (latchClass: number) => latch_classes[latchClass]?.name === 'LabLatch';

/**
 * Returns the names of words by their position on a line, as wasm-engine/lab/lab_latch.cc lays them
 * out. null: the line has no element of that word. Without a program, the touched words are
 * numbered.
 */
function labWordNames({ line, declared }: WordsOf, touched: number): (string | null)[] {
  if (declared.length === 0) return Array.from({ length: touched }, (_, i) => `word ${i}`);
  const number = line >> lab_line_element_bits;
  const element = line & ((1 << lab_line_element_bits) - 1);
  return declared
    .filter((word) => word.line === number)
    .flatMap(({ name, elements, per_thread, packed }) => {
      const isArray = per_thread || elements > 1;
      if (packed)
        return Array.from({ length: elements }, (_, i) =>
          element > 0 ? null : isArray ? `${name}[${i}]` : name,
        );
      if (!per_thread && element >= elements) return [null];
      return [isArray ? `${name}[${element}]` : name];
    });
}

const hexOf = (value: number) => `0x${value.toString(16).padStart(8, '0')}`;
