/** What is known of each interval of a run. */
export interface PhaseInterval {
  /** Its end, in run time. */
  t_s: number;
  seconds: number;
  tps: number;
}

/** Something that changed the conditions of a run, in words. */
export interface PhaseMark {
  t_s: number;
  /** Of the design only what was chosen last counts. */
  kind: 'design' | 'action';
  label: string;
}

/** A part of a run in which nothing was changed. */
export interface Phase {
  /** What was changed at its beginning. */
  label: string;
  from_s: number;
  to_s: number;
  tps: number;
}

/**
 * Throughput between two marks, from the intervals that lie entirely between them. A phase too short for an
 * interval is left out, and its change is shown with the next phase too.
 */
export function phasesOf(
  intervals: readonly PhaseInterval[],
  marks: readonly PhaseMark[],
  first_label: string,
): Phase[] {
  const phases: Phase[] = [];
  let begun_by: PhaseMark[] = [];
  const starts: PhaseMark[] = [{ t_s: 0, kind: 'design', label: first_label }, ...marks];
  for (const [index, mark] of starts.entries()) {
    if (mark.kind === 'design') begun_by = begun_by.filter(({ kind }) => kind !== 'design');
    begun_by.push(mark);
    const from_s = mark.t_s;
    const to_s = starts[index + 1]?.t_s ?? Number.POSITIVE_INFINITY;
    const within = intervals.filter((interval) => liesWithin(interval, from_s, to_s));
    if (within.length === 0) continue;
    phases.push({ label: inWords(begun_by), ...meansOf(within) });
    begun_by = [];
  }
  return phases;
}

/** A change that was repeated is named once. */
function inWords(marks: readonly PhaseMark[]): string {
  const groups: { label: string; times: number }[] = [];
  for (const { label } of marks) {
    const last = groups.at(-1);
    if (last?.label === label) last.times += 1;
    else groups.push({ label, times: 1 });
  }
  return groups.map(({ label, times }) => (times === 1 ? label : `${times} × ${label}`)).join(', ');
}

/** Readings come a little later than the moments that they stand for. */
const ROUNDING_S = 1e-9;

const liesWithin = ({ t_s, seconds }: PhaseInterval, from_s: number, to_s: number) =>
  t_s - seconds >= from_s - ROUNDING_S && t_s <= to_s + ROUNDING_S;

function meansOf(intervals: readonly PhaseInterval[]): Omit<Phase, 'label'> {
  const seconds = intervals.reduce((sum, interval) => sum + interval.seconds, 0);
  const transactions = intervals.reduce((sum, { tps, seconds: length }) => sum + tps * length, 0);
  return {
    from_s: intervals[0]!.t_s - intervals[0]!.seconds,
    to_s: intervals.at(-1)!.t_s,
    tps: transactions / seconds,
  };
}
