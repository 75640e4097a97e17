import { bisectLeft } from 'd3-array';

import { chartPicture } from '../../session/chart-picture';
import type { Session } from '../../session/session';

/** Selects the point of the latency chart at this moment, if there is one. */
export function selectPoint(session: Session, t_s: number): void {
  const { history } = chartPicture(session);
  const row = bisectLeft(history.column('t_s'), t_s);
  const value = (name: Parameters<typeof history.column>[0]) => history.column(name)[row] ?? Number.NaN;
  const p99_ns = value('p99_ns');
  if (value('t_s') !== t_s || Number.isNaN(p99_ns)) return;
  const [from_s, p50_ns, max_ns] = [value('from_s'), value('p50_ns'), value('max_ns')];
  session.select({ kind: 'point', fromS: from_s, tS: t_s, p50Ns: p50_ns, p99Ns: p99_ns, maxNs: max_ns });
}
