import { bisectLeft } from 'd3-array';

import { chartPicture } from '../../session/chart-picture';
import type { Session } from '../../session/session';

/** Selects the point of the latency chart at this moment, if there is one. */
export function selectPoint(session: Session, tS: number): void {
  const { history } = chartPicture(session);
  const row = bisectLeft(history.column('t_s'), tS);
  const value = (name: Parameters<typeof history.column>[0]) => history.column(name)[row] ?? Number.NaN;
  const p99Ns = value('p99_ns');
  if (value('t_s') !== tS || Number.isNaN(p99Ns)) return;
  const [fromS, p50Ns, maxNs] = [value('from_s'), value('p50_ns'), value('max_ns')];
  session.select({ kind: 'point', fromS, tS, p50Ns, p99Ns, maxNs });
}
