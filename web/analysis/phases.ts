// Computes throughput from mark to mark: for the strip above the charts, a lesson's table, and the
// ratios of designs.
import { lastReadingUpTo, rateWindow, type Totals } from './rate-window';

/** A change of the run's conditions, in words. */
export interface PhaseMark {
  t_s: number;
  /** Of several design marks, only the last one counts. */
  kind: 'design' | 'action';
  label: string;
}

/** A part of a run without changes, from one mark to the next. */
export interface Phase<M extends PhaseMark = PhaseMark> {
  /** The changes at its beginning. */
  label: string;
  begun_by: readonly M[];
  from_s: number;
  to_s: number;
  /** null: too short to measure. */
  tps: number | null;
  /** Ratio to the phase before; null if either is unknown. */
  ratio: number | null;
  /** The mean covers the time from here to the end. */
  measured_from_s: number;
  /**
   * Each client has ended the transaction that it had begun before the mark, and a few more.
   * Otherwise the mean may still change.
   */
  is_settled: boolean;
}

interface PhaseOptions<M extends PhaseMark> {
  totals: Totals;
  marks: readonly M[];
  /** The conditions at the beginning of the run. */
  first: M;
  /** Each client has one transaction in progress. */
  clients: number;
  /** Shorter phases are merged into the next one. */
  shortest_s: number;
}

/**
 * Returns mean throughput from mark to mark: transactions that ended, per run time. It uses the
 * counters of all rates of the page, and the longest window that rate-window.ts allows.
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
    // The current phase is shown even while its throughput is unknown.
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

/** Adds the beginning of the run, when no transaction has ended. */
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

/** Joins the labels; consecutive equal labels are counted. */
function inWords(marks: readonly PhaseMark[]): string {
  const groups: { label: string; times: number }[] = [];
  for (const { label } of marks) {
    const last = groups.at(-1);
    if (last?.label === label) last.times += 1;
    else groups.push({ label, times: 1 });
  }
  return groups.map(({ label, times }) => (times === 1 ? label : `${times} × ${label}`)).join(', ');
}
