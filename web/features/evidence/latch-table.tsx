import { useState, type ReactNode } from 'react';

import type { LatchFigures, LatchNow, LatchRow } from '../../contract/live-view';
import { DASH, formatDurationNs, formatFigure, formatPerOperation, formatShare } from '../../analysis/format';
import { costOf, inOrderOfCost } from '../../analysis/latch-table';
import { isLive } from '../../session/store';
import { CodeName } from '../../widgets/code-name';
import { EvidenceNote } from '../../widgets/evidence-note';
import { GlossaryLink } from '../../widgets/glossary-link';
import { useRunTime } from '../../widgets/run-time';
import { useExplorer, useInFrame } from '../../widgets/session-context';

/** A number of each latch by which the table can be sorted. */
interface Column {
  id: string;
  title: string;
  value: (row: SortedRow) => number | null;
}

type SortedRow = LatchFigures & { now?: LatchNow | undefined };

const columns: Column[] = [
  { id: 'cost', title: 'cost', value: costOf },
  { id: 'per_operation', title: 'per', value: ({ per_operation }) => per_operation },
  { id: 'stalled', title: 'stalled', value: ({ line_stall_share }) => line_stall_share },
  { id: 'queue', title: 'queue', value: ({ queue_mean }) => queue_mean },
  { id: 'waiters', title: 'waiters now', value: ({ now }) => (now ? now.waiting + now.spinning : null) },
  { id: 'waiting', title: 'waiting', value: ({ waiting_share }) => waiting_share },
  { id: 'spinning', title: 'spinning', value: ({ spinning_share }) => spinning_share },
  { id: 'contended', title: 'contended', value: ({ contended_share }) => contended_share },
  { id: 'per_s', title: 'per second', value: ({ acquisitions_per_s }) => acquisitions_per_s },
  { id: 'mean_wait', title: 'mean wait', value: ({ mean_wait_ns }) => mean_wait_ns },
  { id: 'mean_hold', title: 'mean hold', value: ({ mean_hold_ns }) => mean_hold_ns },
];

const modeledColumns = new Set(['stalled', 'queue']);

interface Order {
  column: string;
  direction: 'ascending' | 'descending';
}

/**
 * Shows where each latch is acquired, how often per operation, its holders, and its cost in the
 * clients' time.
 */
export default function LatchTable() {
  const { operation } = useExplorer((state) => state.scenario.manifest.unit_of_work);
  const reported = useExplorer((state) => state.scenario.manifest.reported);
  const rows = useInFrame((state) => state.live?.latch_rows);
  const latchesNow = useInFrame((state) => (isLive(state.run_state) ? state.live?.latches_now : undefined));
  const windowS = useInFrame((state) => state.live?.table_window_s);
  const formatRunTime = useRunTime();
  const [order, setOrder] = useState<Order | null>(null);
  const isModeled = (rows ?? []).some(({ line_stall_share }) => line_stall_share !== null);
  const shownColumns = columns.filter(({ id }) => isModeled || !modeledColumns.has(id));
  const isReported = (latch: string) => reported?.some(({ here }) => here?.of === latch) ?? false;
  const sorted = inOrder(
    (rows ?? []).map((row) => ({ ...row, now: nowOf(latchesNow, row.latch) })),
    order,
  );
  return (
    <>
      <EvidenceNote>
        {windowS !== undefined && `Last ${formatRunTime(windowS)}. `}Waiting,{' '}
        <GlossaryLink term="spin">spinning</GlossaryLink>: share of client time. Contended: share of
        acquisitions.
        {isModeled ? (
          <>
            {' '}
            <GlossaryLink term="stall">Stalled</GlossaryLink>: time that cores waited for the latch’s cache
            line, relative to client time. Queue: mean number of threads that poll or sleep for it. Cost: time
            of all threads in its queue or stalled on its line, relative to client time. Server threads count
            too, so the cost may exceed 100 %. The most expensive latch comes first.
          </>
        ) : (
          ' Cost: waiting plus spinning. Stalled and queue are unknown on this machine.'
        )}
      </EvidenceNote>
      <div className="latches-scroller" role="region" aria-label="Latches" tabIndex={0}>
        <table className="figures latches" data-is-modeled={isModeled}>
          <thead>
            <tr>
              <th scope="col">latch, function</th>
              {shownColumns.map(({ id, title }) => (
                <SortableHeader key={id} column={id} order={order} onSort={setOrder}>
                  {id === 'per_operation' ? `${title} ${operation}` : title}
                </SortableHeader>
              ))}
            </tr>
          </thead>
          {sorted.map((row) => (
            <LatchRows
              key={row.latch}
              row={row}
              order={order}
              isOpenAtFirst={isReported(row.latch)}
              isModeled={isModeled}
            />
          ))}
        </table>
      </div>
      {rows === undefined && <p className="muted">Run to list the latches.</p>}
    </>
  );
}

const nobody: LatchNow = { waiting: 0, spinning: 0, holders: [] };

/** Returns undefined while no run is in progress. */
const nowOf = (latchesNow: Record<string, LatchNow> | undefined, latch: string) =>
  latchesNow && (latchesNow[latch] ?? nobody);

/** Sorts by cost if `order` is null. Unknown values come last. */
function inOrder<Row extends SortedRow>(rows: Row[], order: Order | null): Row[] {
  const column = columns.find(({ id }) => id === order?.column);
  if (order === null || column === undefined) return inOrderOfCost(rows);
  const sign = order.direction === 'ascending' ? 1 : -1;
  const unknown = sign * Number.POSITIVE_INFINITY;
  const value = (row: Row) => column.value(row) ?? unknown;
  return rows.toSorted((a, b) => (value(a) === value(b) ? 0 : sign * (value(a) - value(b))));
}

interface SortableHeaderProps {
  column: string;
  order: Order | null;
  onSort: (order: Order | null) => void;
  children: ReactNode;
}

/**
 * The first press sorts the largest to the top, the second the smallest; the third restores the
 * default order.
 */
function SortableHeader({ column, order, onSort, children }: SortableHeaderProps) {
  const direction = order?.column === column ? order.direction : 'none';
  const next: Record<typeof direction, Order | null> = {
    none: { column, direction: 'descending' },
    descending: { column, direction: 'ascending' },
    ascending: null,
  };
  return (
    <th scope="col" data-column={column} aria-sort={direction}>
      <button type="button" className="sort" onClick={() => onSort(next[direction])}>
        {children}
      </button>
    </th>
  );
}

interface LatchRowsProps {
  row: LatchRow & SortedRow;
  order: Order | null;
  isOpenAtFirst: boolean;
  isModeled: boolean;
}

/** Renders a latch and, when opened, the functions that acquire it. */
function LatchRows({ row, order, isOpenAtFirst, isModeled }: LatchRowsProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const toggle = () => {
    setOpen(!isOpen);
  };
  return (
    <tbody>
      <tr className="latch-row">
        <th scope="row">
          <button type="button" className="disclosure" aria-expanded={isOpen} onClick={toggle}>
            <CodeName name={row.latch} />
          </button>
          <Holders now={row.now} isOpen={isOpen} />
        </th>
        <FigureCells figures={row} isModeled={isModeled} />
      </tr>
      {isOpen &&
        inOrder(row.sites, order).map((site) => (
          <tr key={site.function} className="site-row">
            <th scope="row">
              <CodeName name={site.function} />
            </th>
            <FigureCells figures={site} isModeled={isModeled} />
          </tr>
        ))}
    </tbody>
  );
}

/** Shows the present holders: on one line, or all of them once the latch is opened. */
function Holders({ now, isOpen }: { now: LatchNow | undefined; isOpen: boolean }) {
  if (now === undefined) return null;
  const { holders } = now;
  const howMany = holders.length > 1 ? `${holders.length}: ` : '';
  return (
    <span className="latch-holders" data-is-open={isOpen}>
      held by {howMany}
      {isOpen ? <CodeName name={holders.join(', ')} /> : holders[0]}
      {holders.length === 0 && 'no one'}
    </span>
  );
}

interface FigureCellsProps {
  figures: SortedRow;
  isModeled: boolean;
}

function FigureCells({ figures, isModeled }: FigureCellsProps) {
  const { per_operation, waiting_share, spinning_share, line_stall_share, contended_share } = figures;
  const { now, queue_mean, acquisitions_per_s, mean_wait_ns, mean_hold_ns } = figures;
  return (
    <>
      <td>{formatShare(costOf(figures))}</td>
      <td>{formatPerOperation(per_operation)}</td>
      {isModeled && <ShareCell share={line_stall_share} state="stalled" />}
      {isModeled && <td>{formatFigure(queue_mean)}</td>}
      <td>{now === undefined ? DASH : now.waiting + now.spinning}</td>
      <ShareCell share={waiting_share} state="waiting" />
      <ShareCell share={spinning_share} state="spinning" />
      <td>{formatShare(contended_share)}</td>
      <td>{formatFigure(acquisitions_per_s)}</td>
      <td>{formatDurationNs(mean_wait_ns)}</td>
      <td>{formatDurationNs(mean_hold_ns)}</td>
    </>
  );
}

/** Renders a share with a bar behind it, which emphasizes large ones. */
function ShareCell({ share, state }: { share: number | null; state: string }) {
  const color = `var(--share-${state})`;
  return (
    <td
      className="share-cell"
      style={{
        backgroundImage: `linear-gradient(${color}, ${color})`,
        backgroundSize: `${(share ?? 0) * 100}% 100%`,
      }}
    >
      {formatShare(share)}
    </td>
  );
}
