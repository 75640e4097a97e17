// Takes the difference of two snapshots of a server's counters, or refuses snapshots that do not
// belong together.
import { printable, type Fault } from '../../contract/fault';
import type { CounterRow, StatusValue, WaitCounters } from './reader';

/** A snapshot, and where it came from, for messages. */
export interface NamedSnapshot extends WaitCounters {
  source: string;
}

/** What happened between two snapshots, or since the counters began. */
export interface CountedWaits {
  isDifference: boolean;
  /** Time between the snapshots, or since the server started; null if the texts do not say. */
  intervalS: number | null;
  /** Statements that clients sent meanwhile; null if the texts do not say. */
  statements: number | null;
  rows: readonly CountedRow[];
  /** Events that only one of the snapshots has. */
  inOneOnly: readonly string[];
}

export interface CountedRow {
  event: string;
  count: number;
  /** null: the form has no times. */
  waitS: number | null;
}

/** Snapshots of one text, or of several in any order, are refused with the place and both values. */
export class SnapshotsRefused extends Error {
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(`${fault.field} is ${fault.value}; allowed: ${fault.allowed}`);
    this.fault = fault;
  }
}

const UPTIME = 'uptime';
/** Both count what clients send; the first one leaves out statements inside of procedures. */
const statementCounters = ['questions', 'queries'] as const;
/** They do not change while a server runs. */
const identities = [
  'server_uuid',
  '@@server_uuid',
  'hostname',
  '@@hostname',
  'version',
  '@@version',
  'version()',
];

const PS_PER_S = 1e12;

/** Returns the waits of one snapshot, or between the first and the last one. */
export function countedWaits(snapshots: readonly NamedSnapshot[]): CountedWaits {
  const ageOf = snapshots.every(({ status }) => numberOf(status.get(UPTIME)) !== null) ? uptimeOf : allCounts;
  const [first, ...later] = snapshots.toSorted((a, b) => Number(ageOf(a) - ageOf(b)));
  if (first === undefined) throw new RangeError('no snapshot');
  let before = first;
  for (const after of later) {
    requireSameServer(before, after);
    before = after;
  }
  return later.length === 0 ? sinceStart(first) : between(first, before);
}

/** Returns whether a snapshot follows another one of the same server, with counters that grew. */
export function isGrowth(before: WaitCounters, after: WaitCounters): boolean {
  const [from, to] = [before, after].map(({ status }) => numberOf(status.get(UPTIME)));
  if ((from === null) !== (to === null) || (from ?? 0) > (to ?? 0)) return false;
  try {
    requireSameServer({ ...before, source: '' }, { ...after, source: '' });
    return true;
  } catch (error) {
    if (error instanceof SnapshotsRefused) return false;
    throw error;
  }
}

/** Both only grow while a server runs. */
const uptimeOf = ({ status }: NamedSnapshot) => BigInt(numberOf(status.get(UPTIME))!);
const allCounts = ({ rows }: NamedSnapshot) => rows.reduce((sum, { count }) => sum + count, 0n);

function sinceStart({ rows, status }: NamedSnapshot): CountedWaits {
  return {
    isDifference: false,
    intervalS: numberOf(status.get(UPTIME)),
    statements: statementsOf(status),
    rows: rows.map(({ event, count, waitPs }) => counted(event, count, waitPs)),
    inOneOnly: [],
  };
}

function between(first: NamedSnapshot, last: NamedSnapshot): CountedWaits {
  const before = new Map(first.rows.map((row) => [row.event, row]));
  const after = new Set(last.rows.map(({ event }) => event));
  const rows: CountedRow[] = [];
  const inOneOnly = [...before.keys()].filter((event) => !after.has(event));
  for (const row of last.rows) {
    const from = before.get(row.event);
    if (from === undefined) inOneOnly.push(row.event);
    else {
      const waitPs = row.waitPs === null || from.waitPs === null ? null : row.waitPs - from.waitPs;
      rows.push(counted(row.event, row.count - from.count, waitPs));
    }
  }
  const difference = (value: (status: NamedSnapshot['status']) => number | null) => {
    const [from, to] = [value(first.status), value(last.status)];
    return from === null || to === null || to <= from ? null : to - from;
  };
  return {
    isDifference: true,
    intervalS: difference((status) => numberOf(status.get(UPTIME))),
    statements: difference(statementsOf),
    rows,
    inOneOnly,
  };
}

const counted = (event: string, count: bigint, waitPs: bigint | null): CountedRow => ({
  event,
  count: Number(count),
  waitS: waitPs === null ? null : Number(waitPs) / PS_PER_S,
});

function statementsOf(status: NamedSnapshot['status']): number | null {
  for (const name of statementCounters) {
    const value = numberOf(status.get(name));
    if (value !== null) return value;
  }
  return null;
}

const numberOf = (variable: StatusValue | undefined): number | null =>
  variable !== undefined && /^\d{1,15}$/.test(variable.value) ? Number(variable.value) : null;

function requireSameServer(before: NamedSnapshot, after: NamedSnapshot): void {
  for (const name of identities) {
    const [one, other] = [before.status.get(name), after.status.get(name)];
    if (one !== undefined && other !== undefined && one.value !== other.value)
      throw refusal(
        after,
        other.line,
        `${name} ${other.value}`,
        `${one.value}, as in ${placeOf(before, one.line)}: two snapshots of one server`,
      );
  }
  const known = new Map(before.rows.map((row) => [row.event, row]));
  let common = 0;
  for (const row of after.rows) {
    const from = known.get(row.event);
    if (from === undefined) continue;
    common += 1;
    requireGrowth(from, row, before, after);
  }
  const smaller = Math.min(before.rows.length, after.rows.length);
  if (common * 2 < smaller)
    throw refusal(
      after,
      after.rows[0]!.line,
      `${common} of ${smaller} events in common`,
      `two snapshots of one server, which share most events; the other one is ${before.source}`,
    );
}

/** Counts, sums and longest waits do not fall, and shortest waits do not rise, unless they are reset. */
function requireGrowth(from: CounterRow, to: CounterRow, before: NamedSnapshot, after: NamedSnapshot): void {
  const falls = (column: string, low: bigint | null, high: bigint | null) => {
    if (low === null || high === null || high >= low) return;
    throw refusal(
      after,
      to.line,
      `${column} ${high} of ${to.event}`,
      `at least ${low}, as in ${placeOf(before, from.line)}: two snapshots of one server, whose counters were neither reset nor too large for their column in between`,
    );
  };
  falls('COUNT_STAR', from.count, to.count);
  falls('SUM_TIMER_WAIT', from.waitPs, to.waitPs);
  falls('MAX_TIMER_WAIT', from.maxPs, to.maxPs);
  if (from.count > 0n && from.minPs !== null && from.minPs > 0n)
    falls('MIN_TIMER_WAIT', to.minPs, from.minPs);
}

const placeOf = ({ source }: NamedSnapshot, line: number) => `line ${line} of ${source}`;

const refusal = (snapshot: NamedSnapshot, line: number, value: string, allowed: string) =>
  new SnapshotsRefused({ field: placeOf(snapshot, line), value: printable(value), allowed });
