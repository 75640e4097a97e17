// Computes the data for a bug's picture: counts of a part of a run without changes.
import type { LatchRow } from '../../contract/live-view';
import { isSameDesign, type Design } from '../../contract/design';
import type { Manifest } from '../../contract/manifest';
import { counterIndex, type Names } from '../../engine-client/snapshot';
import type { PhaseReading } from '../../recording/phase-readings';
import { conditionsAfter, type Conditions, type RunMark } from '../../recording/run-marks';
import { latchRows } from '../latch-table';
import { counterGrowth, windowSeconds, type Window } from '../window';

export interface PhaseFigures extends Conditions {
  /** Run time of the first and the last reading. */
  fromNs: number;
  untilNs: number;
  seconds: number;
  /** Growth of a counter within the part. */
  count: (counter: string) => number;
  /** Value of a counter at the end of the part. */
  total: (counter: string) => number;
  latches: readonly LatchRow[];
}

interface RunSeen {
  readings: readonly PhaseReading[];
  marks: readonly RunMark[];
  design: Design;
  names: Names;
  manifest: Manifest;
  isModeled: boolean;
}

/**
 * Returns the parts of a run, oldest first. Merges parts with the same conditions, such as those
 * around a pause.
 */
export function phaseFigures(run: RunSeen): PhaseFigures[] {
  const parts = run.readings.map((reading) => ({ reading, ...conditionsAt(run, reading.begunAtNs) }));
  const merged: { before: PhaseReading; after: PhaseReading; conditions: Conditions }[] = [];
  for (const { reading, ...conditions } of parts) {
    const last = merged.at(-1);
    if (last !== undefined && isSame(last.conditions, conditions, run.manifest)) last.after = reading;
    else merged.push({ before: reading, after: reading, conditions });
  }
  return merged
    .map(({ before, after, conditions }) =>
      figuresOf({ before: before.before, after: after.after }, conditions, run),
    )
    .filter(({ seconds }) => seconds > 0);
}

function conditionsAt({ marks, design }: RunSeen, atNs: number): Conditions {
  return conditionsAfter(
    design,
    marks.filter(({ run_ns }) => run_ns <= atNs),
  );
}

/** Both belong to one run, so equal numbers of actions mean the same actions. */
const isSame = (one: Conditions, other: Conditions, manifest: Manifest) =>
  isSameDesign(manifest, one.design, other.design) &&
  one.actions.length === other.actions.length &&
  one.supposesSince === other.supposesSince;

function figuresOf(
  window: Window,
  conditions: Conditions,
  { names, manifest, isModeled }: RunSeen,
): PhaseFigures {
  const { operation_counter } = manifest.unit_of_work;
  return {
    ...conditions,
    fromNs: window.before.runNs,
    untilNs: window.after.runNs,
    seconds: windowSeconds(window),
    count: (counter: string) => counterGrowth(window, counter) ?? 0,
    total: (counter: string) => window.after.counters[counterIndex(counter)]!,
    latches: latchRows(window, names, { operationCounter: operation_counter, isModeled }),
  };
}
