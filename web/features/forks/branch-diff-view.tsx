import {
  DASH,
  formatFigure,
  formatRatio,
  formatThousandths,
  formatVirtualTime,
  formatWhole,
} from '../../analysis/format';
import type { BranchDiff, NotedEvent } from '../../contract/going-back';
import { EstimateFigure } from '../../widgets/estimate';
import { Table } from '../../widgets/table';

const LATCHES_MAX = 8;

type Parting = NonNullable<BranchDiff['parts'][number]>;
type Compared = BranchDiff['since']['tps'];

/**
 * Shows the event at which two branches diverge, that event in each branch, and the counts since
 * then.
 */
export function BranchDiffView({ diff }: { diff: BranchDiff }) {
  const first = diff.parts[0] ?? null;
  const isOneSeed = diff.seeds === 1;
  if (first === null && isOneSeed) return <p>A and B are identical to the last event.</p>;
  return (
    <div className="branch-diff">
      {first === null ? (
        <p>With the first seed, A and B are identical to the last event.</p>
      ) : (
        <PartingView parting={first} />
      )}
      <Since diff={diff} />
    </div>
  );
}

function PartingView({ parting: { event, a, b, on_server, noted_until } }: { parting: Parting }) {
  return (
    <>
      <p>
        A and B diverge at event <strong>{formatWhole(event)}</strong>; the {formatWhole(event - 1)} events
        before it are identical.
      </p>
      <Events a={a} b={b} />
      {on_server === null ? (
        <p>No server thread diverges in the next {formatWhole(noted_until - event)} events.</p>
      ) : (
        <>
          <p>First server thread to diverge:</p>
          <Events {...on_server} />
        </>
      )}
    </>
  );
}

function Events({ a, b }: { a: NotedEvent | null; b: NotedEvent | null }) {
  return (
    <dl className="branch-events">
      {Object.entries({ A: a, B: b }).map(([name, event]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {event === null
              ? 'no such event: the run has ended'
              : `at ${formatVirtualTime(event.run_ns / 1e9)}: ${eventInWords(event)}`}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Since({ diff }: { diff: BranchDiff }) {
  const { since } = diff;
  const rows: [title: string, compared: Compared][] = [
    ['Transactions per second', since.tps],
    ['Mean latency, ms', since.mean_ms],
    ['p99 latency, ms', since.p99_ms],
    ...Object.entries(since.latches)
      .slice(0, LATCHES_MAX)
      .flatMap(([latch, { acquisitions, waits, wait_ns }]): [string, Compared][] => [
        [`${latch}: acquisitions`, acquisitions],
        [`${latch}: waits`, waits],
        [`${latch}: wait time, ns`, wait_ns],
      ]),
  ];
  return (
    <Table
      region="Differences since"
      className="branch-since"
      caption={whatCounts(diff)}
      rows={rows}
      columns={[
        ['Metric', ([title]) => title],
        ['A', ([, { a }]) => <EstimateFigure estimate={a} format={formatFigure} />],
        ['B', ([, { b }]) => <EstimateFigure estimate={b} format={formatFigure} />],
        ['B / A', ([, compared]) => ratioOf(compared)],
      ]}
    />
  );
}

/** Describes the start of the counts, and the number of seeds. */
function whatCounts({ parts: [first = null], seeds }: BranchDiff): string {
  const since =
    first === null
      ? 'Whole runs with the first seed'
      : `Since ${formatVirtualTime(first.from_s)}, the last common checkpoint`;
  if (seeds === 1) return since;
  const withFirstSeed = first === null ? '' : ' with the first seed';
  return `${since}${withFirstSeed}. Means over ${seeds} seeds with 95 % intervals in parentheses; ratios are paired by seed`;
}

const ratioOf = ({ ratio }: Compared) =>
  ratio === undefined ? (
    DASH
  ) : (
    <EstimateFigure estimate={ratio} format={ratio.low === undefined ? formatRatio : formatThousandths} />
  );

const verbs: Record<NonNullable<NotedEvent['access']>, string> = {
  load: 'reads',
  poll: 'polls',
  store: 'stores to',
  read_modify_write: 'changes',
  failed_compare_exchange: 'fails to change',
};

/** Returns words such as `client 3 changes lock_word of buf_pool->mutex, in buf_page_get_gen`. */
export function eventInWords(event: NotedEvent): string {
  const who = event.thread === '' ? 'an unknown thread' : event.thread;
  const where = event.stack?.at(-1);
  return `${who} ${whatHappens(event)}${where === undefined ? '' : `, in ${where}`}`;
}

function whatHappens({ kind, latch, access, word }: NotedEvent): string {
  const what = latch === undefined ? 'a word' : word === undefined ? latch : `${word} of ${latch}`;
  if (access !== undefined) return `${verbs[access]} ${what}`;
  switch (kind) {
    case 'access':
      return `accesses ${what}`;
    case 'polls':
      return `spins on ${what}`;
    case 'store':
      return latch === undefined ? 'has a store take effect' : `has a store to ${what} take effect`;
    case 'wakes':
      return 'is woken';
    case 'timer':
      return 'wakes by its timer';
    default:
      return 'ends a unit of work';
  }
}
