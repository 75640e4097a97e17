import { formatShare } from '../../analysis/format';
import { busy_states, type BusyState } from '../../contract/time-shares';
import type { HistoryRows } from '../../recording/history';
import { useSession } from '../../widgets/session-context';
import { stateNames } from '../../widgets/state-names';
import { usePhases } from '../../widgets/use-phases';

const PHASES_MAX = 3;
/** Shares below it are not worth a name. */
const SHARE_MIN = 0.01;

/** Shows where the clients' time went in each phase of the run, as one bar per phase. */
export function ClientTimeFigure() {
  const { history } = useSession();
  const phases = usePhases()
    .filter(({ tps }) => tps !== null)
    .slice(-PHASES_MAX)
    .map(({ label, fromS, toS }) => ({ label, shares: meanShares(history, fromS, toS) }));
  const named = busy_states.filter((state) => phases.some(({ shares }) => shares[state] >= SHARE_MIN));
  return (
    <div className="slide-shares">
      {phases.map(({ label, shares }, place) => (
        <section key={place} aria-label={label}>
          <h2>{label}</h2>
          <div className="slide-share-bar" aria-hidden="true">
            {busy_states.map((state) => (
              <span
                key={state}
                style={{ width: `${shares[state] * 100}%`, background: `var(--state-${state})` }}
              />
            ))}
          </div>
          <ul>
            {named
              .filter((state) => shares[state] >= SHARE_MIN)
              .map((state) => (
                <li key={state}>
                  <span className="slide-key" style={{ background: `var(--state-${state})` }} />
                  {formatShare(shares[state])} {stateNames[state]}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** Returns the mean of each state's share between two moments of the run. */
function meanShares(rows: HistoryRows, fromS: number, toS: number): Record<BusyState, number> {
  const tS = rows.column('t_s');
  return Object.fromEntries(
    busy_states.map((state) => {
      let [sum, count] = [0, 0];
      for (const [row, share] of rows.column(state).entries()) {
        if (tS[row]! <= fromS || tS[row]! > toS || Number.isNaN(share)) continue;
        sum += share;
        count += 1;
      }
      return [state, count === 0 ? 0 : sum / count];
    }),
  ) as Record<BusyState, number>;
}
