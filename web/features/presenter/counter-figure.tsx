import { formatWhole } from '../../analysis/format';
import { counters } from '../../contract/gen/telemetry-layout';
import { useExplorer, useInFrame } from '../../widgets/session-context';

const [ROWS_MIN, ROWS_MAX] = [3, 4];
const meanings = new Map<string, string>(counters.map(({ name, meaning }) => [name, meaning]));

/** Shows the counters that the text names first, then others of the bug. */
export function CounterFigure({ words }: { words: string }) {
  const ofBug = useExplorer((state) => state.scenario.manifest.shown_counters);
  const values = useInFrame((state) => state.live?.counters);
  const named = ofBug.filter((name) => words.includes(name));
  const others = ofBug.filter((name) => !named.includes(name));
  const shown = [...named, ...others].slice(0, Math.max(ROWS_MIN, Math.min(named.length, ROWS_MAX)));
  return (
    <table className="slide-counters">
      <thead>
        <tr>
          <th scope="col">counter</th>
          <th scope="col">this run</th>
          <th scope="col">per second now</th>
        </tr>
      </thead>
      <tbody>
        {shown.map((name) => {
          const value = values?.find((one) => one.name === name);
          return (
            <tr key={name} data-is-named={named.includes(name)}>
              <th scope="row">
                <code>{name}</code>
                <span>{meanings.get(name)}</span>
              </th>
              <td>{formatWhole(value?.total)}</td>
              <td>{formatWhole(value?.per_s)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
