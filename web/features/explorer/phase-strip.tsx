import type { ReactNode } from 'react';

import { formatRatio, formatWhole } from '../../analysis/format';
import { partsWithRoom, type StripPart } from '../../analysis/strip';
import { momentText } from '../../charts/axes';
import type { TimeRange } from '../../charts/chart';
import { shownRange } from '../../session/chart-picture';
import type { RunPhase } from '../../session/measured-phases';
import type { Session } from '../../session/session';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer, useSession } from '../../widgets/session-context';
import { useOfCharts } from '../../widgets/use-of-charts';
import { usePhases } from '../../widgets/use-phases';

/** From here on a change is one for the better or the worse. */
const CHANGE_MIN = 1.1;
/** Of the strip: so much room has a figure at the least. */
const WIDTH_MIN = 0.085;

/** A labelled part for each phase of the run, on the time axis of the charts below: mean throughput, and its ratio to the one before. */
export function PhaseStrip({ note }: { note?: ReactNode }) {
  const phases = usePhases();
  const range = useShownRange();
  const has_run = useExplorer(({ spec }) => spec !== null);
  const seen = phases.filter(({ from_s, to_s }) => to_s > range.from_s && from_s < range.to_s);
  const places = partsWithRoom(
    seen.map((phase) => partOf(phase, range)),
    WIDTH_MIN,
  );
  return (
    <section className="panel phase-strip" aria-label="Phases" data-panel="Phases" data-is-empty={!has_run}>
      <h2 className="visually-hidden">Phases</h2>
      {seen.length === 0 ? (
        <p className="muted">
          The mean throughput of each part of the run appears here, from change to change.
        </p>
      ) : (
        <ol className="phase-list">
          {seen.map((phase, i) => (
            <PhaseSegment key={phase.from_s} phase={phase} range={range} place={places[i]!} />
          ))}
        </ol>
      )}
      {note}
    </section>
  );
}

interface PhaseSegmentProps {
  phase: RunPhase;
  range: TimeRange;
  place: StripPart;
}

function PhaseSegment({ phase, range, place }: PhaseSegmentProps) {
  const session = useSession();
  const is_virtual = useIsVirtual();
  const is_selected = useExplorer(
    ({ selected }) => selected?.kind === 'phase' && selected.from_s === phase.from_s,
  );
  const { label, tps, ratio, from_s, to_s, is_settled, measured_from_s } = phase;
  const moment = (t_s: number) => momentText(t_s, range, is_virtual);
  const measured = is_settled ? `measured from ${moment(measured_from_s)}` : 'not settled yet';
  return (
    <li
      className="phase"
      style={{ left: `${place.left * 100}%`, width: `${place.width * 100}%` }}
      data-change={changeOf(ratio)}
    >
      <button
        type="button"
        aria-pressed={is_selected}
        title={`${label}: ${formatWhole(tps)} transactions per second from ${moment(from_s)} to ${moment(to_s)}, ${measured}`}
        onClick={() => {
          session.select(is_selected ? null : { kind: 'phase', from_s });
        }}
      >
        <span className="phase-label">{label}</span>
        <span className="phase-figures">
          <span className="phase-tps">{formatWhole(tps)}</span>
          {ratio !== null && <span className="phase-ratio">{formatRatio(ratio)}</span>}
        </span>
      </button>
    </li>
  );
}

const changeOf = (ratio: number | null) => {
  if (ratio === null || (ratio < CHANGE_MIN && ratio > 1 / CHANGE_MIN)) return 'none';
  return ratio > 1 ? 'better' : 'worse';
};

/** As a part of the plot's width, cut off where the charts end. */
function partOf({ from_s, to_s }: RunPhase, range: TimeRange): StripPart {
  const part = (t_s: number) => (t_s - range.from_s) / (range.to_s - range.from_s);
  const left = Math.max(0, part(from_s));
  return { left, width: Math.min(1, part(to_s)) - left };
}

/** Changes seldom: while a run goes on, the axis grows in steps. */
function useShownRange(): TimeRange {
  const [from_s = 0, to_s = 0] = useOfCharts(rangeKey).split(' ').map(Number);
  return { from_s, to_s };
}

function rangeKey(session: Session): string {
  const { from_s, to_s } = shownRange(session);
  return `${from_s} ${to_s}`;
}
