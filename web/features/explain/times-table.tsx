import { formatDurationNs, formatShare } from '../../analysis/format';
import type { TableOfTimes, TableRow } from '../../contract/explanation';
import { CodeName } from '../../widgets/code-name';
import { formatExact } from './exact-time';

const PS_PER_NS = 1000;

interface TimesTableProps {
  /** Undefined if the explanation has no such table; nothing is shown then. */
  table: TableOfTimes | undefined;
  title: string;
}

/** Renders a table of the explanation. Rows below another row are indented. */
export function TimesTable({ table, title }: TimesTableProps) {
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
      <td title={formatExact(ps)}>{formatDurationNs(ps / PS_PER_NS)}</td>
    </tr>
  );
}

/** Replaces the command line's ASCII unit. */
const inWords = ({ what }: TableRow) => what.replace(/(\d) us\b/g, '$1 µs');
