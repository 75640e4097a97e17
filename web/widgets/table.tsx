import { Fragment, type ReactNode } from 'react';

/** Heading of a column, and its cell of a row. The first column names the rows. */
export type Column<Row> = readonly [heading: ReactNode, cellOf: (row: Row) => ReactNode];

interface TableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Returns what an open row shows below it, across all columns; null: the row is closed. */
  detailsOf?: (row: Row) => ReactNode;
  /** Names the region in which a wide table scrolls; without it, the table does not scroll. */
  region?: string;
  caption?: ReactNode;
  foot?: ReactNode;
  className?: string;
}

/** Shows figures, one row per item. */
export function Table<Row>({
  columns,
  rows,
  detailsOf = () => null,
  region,
  caption,
  foot,
  className = '',
}: TableProps<Row>) {
  const table = (
    <table className={`figures ${className}`}>
      {caption !== undefined && <caption>{caption}</caption>}
      <thead>
        <tr>
          {columns.map(([heading], place) => (
            <th key={place} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, number) => {
          const details = detailsOf(row);
          return (
            <Fragment key={number}>
              <tr>
                {columns.map(([, cellOf], place) =>
                  place === 0 ? (
                    <th key={place} scope="row">
                      {cellOf(row)}
                    </th>
                  ) : (
                    <td key={place}>{cellOf(row)}</td>
                  ),
                )}
              </tr>
              {details !== null && (
                <tr className="table-details">
                  <td colSpan={columns.length}>{details}</td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
      {foot}
    </table>
  );
  if (region === undefined) return table;
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={region}>
      {table}
    </div>
  );
}
