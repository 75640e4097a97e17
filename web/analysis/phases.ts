// Computes throughput from mark to mark: for the strip above the charts, a lesson's table, and the
// ratios of designs.
import { lastReadingUpTo, rateWindow, type Totals } from './rate-window';

/** A change of the run's conditions, in words. */
export interface PhaseMark {
  tS: number;
  /** Of several design marks, only the last one counts. */
  kind: 'design' | 'action';
  label: string;
}

/** A part of a run without changes, from one mark to the next. */
export interface Phase<M extends PhaseMark = PhaseMark> {
  /** The changes at its beginning. */
  label: string;
  begunBy: readonly M[];
  fromS: number;
  toS: number;
  /** null: too short to measure. */
  tps: number | null;
  /** Ratio to the phase before; null if either is unknown. */
  ratio: number | null;
  /** The mean covers the time from here to the end. */
  measuredFromS: number;
  /**
   * Each client has ended the transaction that it had begun before the mark, and a few more.
   * Otherwise the mean may still change.
   */
  isSettled: boolean;
}

interface PhaseOptions<M extends PhaseMark> {
  totals: Totals;
  marks: readonly M[];
  /** The conditions at the beginning of the run. */
  first: M;
  /** Each client has one transaction in progress. */
  clients: number;
  /** Shorter phases are merged into the next one. */
  shortestS: number;
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
  shortestS,
}: PhaseOptions<M>): Phase<M>[] {
  const totals = withBeginning(readings);
  const endS = totals.tS.at(-1) ?? 0;
  const starts = [first, ...marks];
  const phases: Phase<M>[] = [];
  let begunBy: M[] = [];
  let fromS = first.tS;
  for (const [index, mark] of starts.entries()) {
    if (mark.kind === 'design') begunBy = begunBy.filter(({ kind }) => kind !== 'design');
    begunBy.push(mark);
    const nextS = starts[index + 1]?.tS;
    const toS = Math.max(fromS, nextS ?? endS);
    const isShort = toS - fromS < shortestS;
    // The current phase is shown even while its throughput is unknown.
    if (isShort && nextS !== undefined) continue;
    const mean = isShort ? notMeasured(fromS) : meanWithin(totals, fromS, toS, clients);
    const before = phases.at(-1)?.tps;
    const ratio = mean.tps === null || !before ? null : mean.tps / before;
    phases.push({ label: inWords(begunBy), begunBy, fromS, toS, ratio, ...mean });
    begunBy = [];
    fromS = toS;
  }
  return phases;
}

type Mean = Pick<Phase, 'tps' | 'measuredFromS' | 'isSettled'>;

const notMeasured = (fromS: number): Mean => ({ tps: null, measuredFromS: fromS, isSettled: false });

/** Adds the beginning of the run, when no transaction has ended. */
const withBeginning = ({ tS, transactions }: Totals): Totals => ({
  tS: Float64Array.of(0, ...tS),
  transactions: Float64Array.of(0, ...transactions),
});

function meanWithin(totals: Totals, fromS: number, toS: number, clients: number): Mean {
  const { tS, transactions } = totals;
  const first = lastReadingUpTo(tS, fromS);
  const last = lastReadingUpTo(tS, toS);
  if (last <= first) return notMeasured(fromS);
  const { from, isSettled } = rateWindow(totals, {
    first,
    last,
    clients,
    wantedS: Number.POSITIVE_INFINITY,
  });
  const seconds = tS[last]! - tS[from]!;
  const tps = (transactions[last]! - transactions[from]!) / seconds;
  return Number.isFinite(tps) ? { tps, measuredFromS: tS[from]!, isSettled } : notMeasured(fromS);
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
