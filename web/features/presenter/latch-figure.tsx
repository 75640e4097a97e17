import { formatPerOperation, formatShare } from '../../analysis/format';
import { costOf, inOrderOfCost } from '../../analysis/latch-table';
import { useExplorer, useInFrame } from '../../widgets/session-context';

const ROWS_MAX = 5;
/** A latch that costs less is not worth a row. */
const COST_MIN = 0.001;

/** Shows the latches that cost the clients most time, and those that the text names. */
export function LatchFigure({ words }: { words: string }) {
  const { operation } = useExplorer((state) => state.scenario.manifest.unit_of_work);
  const rows = useInFrame((state) => state.live?.latch_rows) ?? [];
  const isNamed = (latch: string) => words.includes(latch.replaceAll('>', '&gt;'));
  const inOrder = inOrderOfCost(rows);
  const named = inOrder.filter(({ latch }) => isNamed(latch));
  const others = inOrder.filter((row) => !isNamed(row.latch) && costOf(row) >= COST_MIN);
  const shown = inOrderOfCost([...named, ...others].slice(0, ROWS_MAX));
  const most = Math.max(1, ...shown.map(costOf));
  return (
    <table className="slide-bars">
      <thead>
        <tr>
          <th scope="col">latch</th>
          <th scope="col">per {operation}</th>
          <th scope="col" colSpan={2}>
            cost, of the clients’ time
          </th>
        </tr>
      </thead>
      <tbody>
        {shown.map((row) => (
          <tr key={row.latch} data-is-named={isNamed(row.latch)}>
            <th scope="row">
              <code>{row.latch}</code>
            </th>
            <td>{formatPerOperation(row.per_operation)}</td>
            <td>{formatShare(costOf(row))}</td>
            <td className="slide-bar">
              <span style={{ width: `${(costOf(row) / most) * 100}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
