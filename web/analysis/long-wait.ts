// Computes the progress and remaining time of a long wait, from the engine's counts and never from
// a clock of the page.
import type { long_waits } from '../contract/gen/telemetry-layout';

type LongWaitName = (typeof long_waits)[number];

/** A reading of the telemetry block. */
export interface LongWaitReading {
  what: LongWaitName;
  done: number;
  total: number;
  runNs: number;
  /** How many waits of each kind have completed in this run, by the engine's counters. */
  ends: Readonly<Record<LongWait['what'], number>>;
}

/** The counter of completed waits of each kind. */
export const endCounters = {
  binlog_rotation: 'binlog_files_rotated',
  buffer_pool_warm_up: 'warm_ups',
} as const;

export interface LongWait {
  what: Exclude<LongWaitName, 'none'>;
  /** From 0 to 1. */
  share: number;
  /** Run time, at the pace so far; null while the pace is unknown. */
  remainingS: number | null;
}

/** Follows successive waits, and computes the pace of each from its first reading on. */
export class LongWaitWatch {
  #first: LongWaitReading | null = null;
  #last: LongWaitReading | null = null;

  copy(): LongWaitWatch {
    const copy = new LongWaitWatch();
    copy.#first = this.#first;
    copy.#last = this.#last;
    return copy;
  }

  /** Returns the wait that completed before this reading; null for an abandoned wait. */
  endedBefore({ what, ends }: LongWaitReading): LongWait['what'] | null {
    const before = this.#first;
    if (before === null || before.what === 'none' || before.what === what) return null;
    return ends[before.what] > before.ends[before.what] ? before.what : null;
  }

  /** Returns the progress after another reading; null if there is no long wait. */
  note(reading: LongWaitReading): LongWait | null {
    const { what, done, total } = reading;
    if (what === 'none' || total <= 0) {
      this.#first = null;
      return null;
    }
    const goesOn = this.#first?.what === what && done >= (this.#last?.done ?? 0);
    if (!goesOn) this.#first = reading;
    this.#last = reading;
    return { what, share: Math.min(1, done / total), remainingS: remainingSeconds(this.#first!, reading) };
  }
}

function remainingSeconds(first: LongWaitReading, { done, total, runNs }: LongWaitReading): number | null {
  const gained = done - first.done;
  if (gained <= 0 || runNs <= first.runNs) return null;
  const left = Math.max(0, total - done);
  return ((runNs - first.runNs) / 1e9) * (left / gained);
}

interface Words {
  /** Its progress. */
  at: (percent: string) => string;
  /** The event at its end. */
  then: string;
  over: string;
}

const words: Record<LongWait['what'], Words> = {
  binlog_rotation: {
    at: (percent) => `Purge at next rotation: binlog ${percent} full`,
    then: 'rotation',
    over: 'The binlog rotated.',
  },
  buffer_pool_warm_up: {
    at: (percent) => `Buffer pool ${percent} warm`,
    then: 'warm',
    over: 'The buffer pool is warm.',
  },
};

const inPercent = (share: number) => `${Math.floor(share * 100)} %`;

/** Pool 40 % warm, warm in about 1.2 s */
export function longWaitInWords(
  { what, share, remainingS }: LongWait,
  formatTime: (seconds: number) => string,
): string {
  const { at, then } = words[what];
  const when = remainingS === null ? '' : `, ${then} in about ${formatTime(remainingS)}`;
  return at(inPercent(share)) + when;
}

const SPOKEN_STEPS = 4;

/** Returns the progress for screen readers, which changes only at each quarter. */
export function longWaitSpoken({ what, share }: LongWait): string {
  return words[what].at(inPercent(Math.floor(share * SPOKEN_STEPS) / SPOKEN_STEPS));
}

export const longWaitIsOver = (what: LongWait['what']) => words[what].over;
