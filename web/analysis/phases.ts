// What a run has measured from mark to mark: the strip above the charts, the table of a lesson, the ratios of the designs.
import { lastReadingUpTo, rateWindow, type Totals } from './rate-window';

/** Something that changed the conditions of a run, in words. */
export interface PhaseMark {
  t_s: number;
  /** Of the design only what was chosen last counts. */
  kind: 'design' | 'action';
  label: string;
}

/** A part of a run in which nothing was changed, from a mark to the next one. */
export interface Phase<M extends PhaseMark = PhaseMark> {
  /** What was changed at its beginning. */
  label: string;
  begun_by: readonly M[];
  from_s: number;
  to_s: number;
  /** Null: it is too short to tell. */
  tps: number | null;
  /** How many times that is of the phase before; null where either is not known. */
  ratio: number | null;
  /** The mean is taken from here to the end. */
  measured_from_s: number;
  /** Each client has ended what it had begun before the mark, and a few transactions more; else the mean may still change. */
  is_settled: boolean;
}

interface PhaseOptions<M extends PhaseMark> {
  totals: Totals;
  marks: readonly M[];
  /** What was in force at the beginning of the run. */
  first: M;
  /** Each has one transaction under way. */
  clients: number;
  /** A phase that is shorter than this is joined to the one after it. */
  shortest_s: number;
}

/**
 * Mean throughput from mark to mark: transactions that ended, over run time, by the counters that all rates of the page come
 * from, and in the longest window that their rule allows (rate-window.ts).
 */
export function phasesOf<M extends PhaseMark>({
  totals: readings,
  marks,
  first,
  clients,
  shortest_s,
}: PhaseOptions<M>): Phase<M>[] {
  const totals = withBeginning(readings);
  const end_s = totals.t_s.at(-1) ?? 0;
  const starts = [first, ...marks];
  const phases: Phase<M>[] = [];
  let begun_by: M[] = [];
  let from_s = first.t_s;
  for (const [index, mark] of starts.entries()) {
    if (mark.kind === 'design') begun_by = begun_by.filter(({ kind }) => kind !== 'design');
    begun_by.push(mark);
    const next_s = starts[index + 1]?.t_s;
    const to_s = Math.max(from_s, next_s ?? end_s);
    const is_short = to_s - from_s < shortest_s;
    // The one that goes on is shown although there is nothing to tell of it yet.
    if (is_short && next_s !== undefined) continue;
    const mean = is_short ? not_measured(from_s) : meanWithin(totals, from_s, to_s, clients);
    const before = phases.at(-1)?.tps;
    const ratio = mean.tps === null || !before ? null : mean.tps / before;
    phases.push({ label: inWords(begun_by), begun_by, from_s, to_s, ratio, ...mean });
    begun_by = [];
    from_s = to_s;
  }
  return phases;
}

type Mean = Pick<Phase, 'tps' | 'measured_from_s' | 'is_settled'>;

const not_measured = (from_s: number): Mean => ({ tps: null, measured_from_s: from_s, is_settled: false });

/** At the beginning of a run nothing has ended yet. */
const withBeginning = ({ t_s, transactions }: Totals): Totals => ({
  t_s: Float64Array.of(0, ...t_s),
  transactions: Float64Array.of(0, ...transactions),
});

function meanWithin(totals: Totals, from_s: number, to_s: number, clients: number): Mean {
  const { t_s, transactions } = totals;
  const first = lastReadingUpTo(t_s, from_s);
  const last = lastReadingUpTo(t_s, to_s);
  if (last <= first) return not_measured(from_s);
  const { from, is_settled } = rateWindow(totals, {
    first,
    last,
    clients,
    wanted_s: Number.POSITIVE_INFINITY,
  });
  const seconds = t_s[last]! - t_s[from]!;
  const tps = (transactions[last]! - transactions[from]!) / seconds;
  return Number.isFinite(tps) ? { tps, measured_from_s: t_s[from]!, is_settled } : not_measured(from_s);
}

/** What was done several times in turn is said once. */
function inWords(marks: readonly PhaseMark[]): string {
  const groups: { label: string; times: number }[] = [];
  for (const { label } of marks) {
    const last = groups.at(-1);
    if (last?.label === label) last.times += 1;
    else groups.push({ label, times: 1 });
  }
  return groups.map(({ label, times }) => (times === 1 ? label : `${times} × ${label}`)).join(', ');
}
