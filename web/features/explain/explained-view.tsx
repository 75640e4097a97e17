import { formatShare, formatVirtualTime, formatWhole } from '../../analysis/format';
import { stateBands } from '../../charts/chart-series';
import type {
  BlameOfSlowest,
  ExplainedPart,
  Explanation,
  TableOfTimes,
  TableRow,
} from '../../contract/explanation';
import { busy_states, type BusyState } from '../../contract/time-shares';
import { CodeName } from '../../widgets/code-name';
import { CommandRow } from '../../widgets/command-button';
import { EvidenceNote } from '../../widgets/evidence-note';
import { Panel } from '../../widgets/panel';
import { stateNames } from '../../widgets/state-names';
import { Table } from '../../widgets/table';
import type { Explained } from './explain-state';
import WalkView from './walk-view';
import { durationOf, formatExact } from './walk-words';

const actions = {
  'explain.show_in_lanes': 'Show in lanes',
  'explain.copy_text': 'Copy text',
  'explain.copy_csv': 'Copy CSV',
  'explain.copy_json': 'Copy JSON',
  'explain.save_json': 'Save JSON',
  'explain.close': 'Close',
};

/**
 * Shows the outcome. For blame, starts with the waits of all of the slowest transactions; then
 * shows the chain of one transaction.
 */
export function ExplainedView({ title, explained }: { title: string; explained: Explained }) {
  const { tables } = explained;
  const isOfMany = tableOf(tables, 'slowest') !== undefined;
  return (
    <>
      <Panel title={title}>
        {!isOfMany && <OneTransaction explained={explained} />}
        <CommandRow of={actions} />
        {isOfMany && <Blame explained={explained} />}
      </Panel>
      {isOfMany && (
        <Panel title="Slowest transaction">
          <OneTransaction explained={explained} />
        </Panel>
      )}
      <Panel title="Walk the parts" remark="from the end back">
        <WalkView />
      </Panel>
      <Panel title="Whole chain" remark="as printed by the command line">
        <TimesTable table={tableOf(tables, 'chain')} title="States and the cause of each wait" />
        <TimesTable table={tableOf(tables, 'in_order')} title="In time order" />
      </Panel>
    </>
  );
}

const OneTransaction = ({ explained: { explanation, tables } }: { explained: Explained }) =>
  explanation === null ? <TooLarge tables={tables} /> : <InShort explanation={explanation} />;

const tableOf = (tables: readonly TableOfTimes[], id: TableOfTimes['id']) =>
  tables.find((table) => table.id === id);

function TooLarge({ tables }: { tables: readonly TableOfTimes[] }) {
  return (
    <>
      <p>{tableOf(tables, 'transaction')?.heading}</p>
      <TimesTable table={tableOf(tables, 'states')} title="States" />
      <EvidenceNote>
        The chain has too many parts for the lanes. The tables below summarize it; save the JSON for all
        parts.
      </EvidenceNote>
    </>
  );
}

function InShort({ explanation }: { explanation: Explanation }) {
  const { transaction, rank, transactions, window } = explanation;
  const { thread, ordinal, latency_ps, began_run_ps } = transaction;
  const among = window === undefined ? '' : ' in that window';
  const latency = <strong>{durationOf({ ps: latency_ps })}</strong>;
  return (
    <>
      <p>
        Transaction {formatWhole(ordinal)} of {thread} began at {formatVirtualTime(began_run_ps / 1e12)} and{' '}
        {rank === undefined ? (
          <>is still active after {latency}.</>
        ) : (
          <>
            took {latency}: {rankInWords(rank, transactions)}
            {among}.
          </>
        )}
      </p>
      <States explanation={explanation} />
      <Sum transaction={transaction} />
    </>
  );
}

const rankInWords = (rank: number, transactions: number) =>
  rank === 1
    ? `slowest of ${formatWhole(transactions)}`
    : `rank ${formatWhole(rank)} of ${formatWhole(transactions)} by latency`;

/** Adds up the parts here, so that the equality is verified, not assumed. */
function Sum({ transaction: { latency_ps, is_over, parts } }: Pick<Explanation, 'transaction'>) {
  const sumPs = sumOf(parts);
  const isExact = sumPs === latency_ps;
  const whole = is_over ? 'the latency' : 'the time so far';
  return (
    <p className={isExact ? 'muted chain-sum' : 'hint hint-error chain-sum'}>
      {formatWhole(parts.length)} parts sum to {formatExact(sumPs)}:{' '}
      {isExact
        ? `${whole}, to the picosecond.`
        : `${whole} is ${formatExact(latency_ps)}. Please report this error.`}
    </p>
  );
}

const sumOf = (parts: readonly { ps: number }[]) => parts.reduce((sum, { ps }) => sum + ps, 0);

/** Returns how long the transaction was in each state, in the page's order of states. */
function byState(parts: readonly ExplainedPart[]): { state: BusyState; ps: number }[] {
  return busy_states
    .map((state) => ({ state, ps: sumOf(parts.filter((part) => part.state === state)) }))
    .filter(({ ps }) => ps > 0);
}

function States({ explanation: { transaction } }: { explanation: Explanation }) {
  const { parts, latency_ps } = transaction;
  const bands = new Map(stateBands(true).map((band) => [band.column, band]));
  return (
    <Table
      className="chain-states"
      rows={byState(parts)}
      columns={[
        [
          'state',
          ({ state }) => (
            <>
              <span
                className={`chain-swatch texture-${bands.get(state)?.texture ?? ''}`}
                style={{ backgroundColor: `var(--state-${state})` }}
                aria-hidden="true"
              />
              {stateNames[state]}
            </>
          ),
        ],
        ['share', ({ ps }) => formatShare(ps / latency_ps)],
        ['time', ({ ps }) => formatExact(ps)],
      ]}
    />
  );
}

const blameTitles = {
  slowest_by_latch: 'Wait time by latch',
  slowest_by_site: 'Wait time by function',
  slowest_by_holder: 'Wait time by holder',
  slowest_by_end: 'End of each chain',
} satisfies Partial<Record<TableOfTimes['id'], string>>;

const blameIds = Object.keys(blameTitles) as (keyof typeof blameTitles)[];

function Blame({ explained: { explanation, tables } }: { explained: Explained }) {
  const slowest = tableOf(tables, 'slowest');
  return (
    <>
      <p>{explanation?.blame === undefined ? slowest?.heading : ofSlowestInWords(explanation.blame)}</p>
      {blameIds.map((id) => (
        <TimesTable key={id} table={tableOf(tables, id)} title={blameTitles[id]} />
      ))}
    </>
  );
}

function ofSlowestInWords({ transactions, left_out, latency_ps }: BlameOfSlowest): string {
  const took = `took ${durationOf({ ps: latency_ps })} in total`;
  const others =
    left_out === 0 ? '' : ` ${formatWhole(left_out)} more of the slowest 1 % did not fit in memory.`;
  return transactions === 1
    ? `The slowest 1 % is one transaction. It ${took}.${others}`
    : `The ${formatWhole(transactions)} slowest transactions, 1 % of all, ${took}.${others}`;
}

interface TimesTableProps {
  /** Undefined if the explanation has no such table; nothing is shown then. */
  table: TableOfTimes | undefined;
  title: string;
}

/** Renders a table of the explanation. Rows below another row are indented. */
function TimesTable({ table, title }: TimesTableProps) {
  if (table === undefined) return null;
  return (
    <table className="figures chain-times">
      <caption>{title}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">what</th>
          <th scope="col">share</th>
          <th scope="col">time</th>
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, place) => (
          // Rows never move, and two may have the same text.
          <Row key={place} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row }: { row: TableRow }) {
  if (row.ps === undefined)
    return (
      <tr>
        <th scope="row" colSpan={3} className="muted">
          {inWords(row)}
        </th>
      </tr>
    );
  const { ps, share, level } = row;
  return (
    <tr>
      <th scope="row" aria-description={level === 0 ? undefined : `level ${level + 1}`}>
        <span className="chain-what" style={{ marginInlineStart: `${level * 0.6}rem` }}>
          <CodeName name={inWords(row)} />
        </span>
      </th>
      <td>{formatShare(share)}</td>
      <td title={formatExact(ps)}>{durationOf(row)}</td>
    </tr>
  );
}

/** Replaces the command line's ASCII unit. */
const inWords = ({ what }: TableRow) => what.replace(/(\d) us\b/g, '$1 µs');
