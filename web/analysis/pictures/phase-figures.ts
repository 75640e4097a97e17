// What a picture of a bug is drawn from: the counts of a part of a run in which nothing was changed.
import type { Design } from '../../contract/design';
import type { Manifest } from '../../contract/manifest';
import { counterIndex, type Mark, type Names } from '../../engine-client/snapshot';
import { meaningOf } from '../../recording/mark-meaning';
import type { PhaseReading } from '../../recording/phase-readings';
import { latchRows, type LatchRow } from '../latch-table';
import { counterGrowth, windowSeconds, type Window } from '../window';

export interface PhaseFigures {
  design: Design;
  /** Ids of the actions that were carried out before it, oldest first. */
  actions: readonly string[];
  /** Run time of the first and the last reading. */
  from_ns: number;
  until_ns: number;
  seconds: number;
  /** By how much a counter grew. */
  count: (counter: string) => number;
  /** What it was at the end of the part. */
  total: (counter: string) => number;
  latches: readonly LatchRow[];
}

export interface RunSeen {
  readings: readonly PhaseReading[];
  marks: readonly Mark[];
  design: Design;
  names: Names;
  manifest: Manifest;
  is_modelled: boolean;
}

/** The parts of a run, oldest first. Parts that differ in nothing, such as those around a pause, are one. */
export function phaseFigures(run: RunSeen): PhaseFigures[] {
  const parts = run.readings.map((reading) => ({ reading, ...conditionsAt(run, reading.begun_at_ns) }));
  const merged: { before: PhaseReading; after: PhaseReading; conditions: Conditions }[] = [];
  for (const { reading, ...conditions } of parts) {
    const last = merged.at(-1);
    if (last !== undefined && isSame(last.conditions, conditions)) last.after = reading;
    else merged.push({ before: reading, after: reading, conditions });
  }
  return merged
    .map(({ before, after, conditions }) =>
      figuresOf({ before: before.before, after: after.after }, conditions, run),
    )
    .filter(({ seconds }) => seconds > 0);
}

type Conditions = Pick<PhaseFigures, 'design' | 'actions'>;

function conditionsAt({ marks, design, manifest }: RunSeen, at_ns: number): Conditions {
  const conditions = { design: { ...design }, actions: [] as string[] };
  for (const mark of marks) {
    if (mark.run_ns > at_ns) break;
    const meaning = meaningOf(mark, manifest);
    if (meaning?.kind === 'knob') conditions.design[meaning.knob.id] = meaning.variant.id;
    if (meaning?.kind === 'action' && !meaning.is_refused) conditions.actions.push(meaning.action.id);
  }
  return conditions;
}

const isSame = (one: Conditions, other: Conditions) =>
  JSON.stringify([one.design, one.actions]) === JSON.stringify([other.design, other.actions]);

function figuresOf(
  window: Window,
  conditions: Conditions,
  { names, manifest, is_modelled }: RunSeen,
): PhaseFigures {
  const { operation_counter } = manifest.unit_of_work;
  return {
    ...conditions,
    from_ns: window.before.run_ns,
    until_ns: window.after.run_ns,
    seconds: windowSeconds(window),
    count: (counter: string) => counterGrowth(window, counter) ?? 0,
    total: (counter: string) => window.after.counters[counterIndex(counter)]!,
    latches: latchRows(window, names, { operation_counter, is_modelled }),
  };
}
