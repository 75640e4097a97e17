import { useId, type ReactNode } from 'react';

import { formatRatio, formatWhole } from '../../analysis/format';
import { partsWithMinWidth, type StripPart } from '../../analysis/strip';
import { momentText } from '../../charts/axes';
import type { TimeRange } from '../../charts/chart';
import { shownRange } from '../../session/chart-picture';
import type { RunPhase } from '../../session/measured-phases';
import { previousRunInWords } from '../../session/previous-run';
import type { Session } from '../../session/session';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer, useSession } from '../../widgets/session-context';
import { useOfCharts } from '../../widgets/use-of-charts';
import { usePhases } from '../../widgets/use-phases';

/** A smaller ratio is neither an improvement nor a regression. */
const CHANGE_MIN = 1.1;
/** Minimum width of a phase's figures, as a part of the strip. */
const WIDTH_MIN = 0.085;

/**
 * Renders a labeled part per phase of the run, on the time axis of the charts below. Each has the
 * mean throughput and its ratio to the previous phase. Below it, shows the branch that the charts
 * draw behind in the same way.
 */
export function PhaseStrip({ note }: { note?: ReactNode }) {
  const phases = usePhases();
  const range = useShownRange();
  const hasRun = useExplorer(({ spec }) => spec !== null);
  const placed = placedIn(phases, range);
  return (
    <section className="panel phase-strip" aria-label="Phases" data-panel="Phases" data-is-empty={!hasRun}>
      <h2 className="visually-hidden">Phases</h2>
      {placed.length === 0 ? (
        <p className="muted">Mean throughput per phase appears here.</p>
      ) : (
        <ol className="phase-list" aria-label="Phases of the run">
          {placed.map((one) => (
            <Phase key={one.phase.fromS} {...one} range={range} />
          ))}
        </ol>
      )}
      <BranchBehind range={range} />
      {note}
    </section>
  );
}

/** Shows the phases of the branch behind on the same axis. */
function BranchBehind({ range }: { range: TimeRange }) {
  const behind = useExplorer(({ previousRun, chart }) =>
    chart.isPreviousRunShown && previousRun?.kind === 'other_course' ? previousRun : null,
  );
  const labelId = useId();
  if (behind === null) return null;
  const placed = placedIn(behind.phases, range);
  if (placed.length === 0) return null;
  return (
    <div className="phases-behind">
      <p id={labelId} className="phases-behind-name">
        Pale: {previousRunInWords(behind)}
      </p>
      <ol className="phase-list" aria-labelledby={labelId}>
        {placed.map((one) => (
          <Phase key={one.phase.fromS} {...one} range={range} isBehind />
        ))}
      </ol>
    </div>
  );
}

interface PlacedPhase {
  phase: RunPhase;
  place: StripPart;
}

interface PhaseProps extends PlacedPhase {
  range: TimeRange;
  /** A phase of the branch behind has no details, so it is not a button. */
  isBehind?: boolean;
}

function Phase({ phase, range, place, isBehind = false }: PhaseProps) {
  const session = useSession();
  const isVirtual = useIsVirtual();
  const isSelected = useExplorer(
    ({ selected }) => selected?.kind === 'phase' && selected.fromS === phase.fromS,
  );
  const box = { className: 'phase-box', title: phaseInWords(phase, range, isVirtual) };
  return (
    <li className="phase" style={atPlace(place)} data-change={changeOf(phase.ratio)}>
      {isBehind ? (
        <div {...box}>
          <Figures phase={phase} />
        </div>
      ) : (
        <button
          type="button"
          {...box}
          aria-pressed={isSelected}
          onClick={() => session.select(isSelected ? null : { kind: 'phase', fromS: phase.fromS })}
        >
          <Figures phase={phase} />
        </button>
      )}
    </li>
  );
}

const Figures = ({ phase: { label, tps, ratio, isSettled } }: { phase: RunPhase }) => (
  <>
    <span className="phase-label">{label}</span>
    <span className="phase-figures">
      <span className="phase-tps">
        {tps !== null && !isSettled && <span className="phase-about">≈ </span>}
        {formatWhole(tps)}
      </span>
      {ratio !== null && <span className="phase-ratio">{formatRatio(ratio)}</span>}
    </span>
  </>
);

const atPlace = ({ left, width }: StripPart) => ({ left: `${left * 100}%`, width: `${width * 100}%` });

function phaseInWords(phase: RunPhase, range: TimeRange, isVirtual: boolean): string {
  const { label, tps, fromS, toS, isSettled, measuredFromS } = phase;
  const moment = (tS: number) => momentText(tS, range, isVirtual);
  const measured = isSettled ? `measured from ${moment(measuredFromS)}` : 'not settled yet';
  return `${label}: ${formatWhole(tps)} transactions per second from ${moment(fromS)} to ${moment(toS)}, ${measured}`;
}

const changeOf = (ratio: number | null) => {
  if (ratio === null || (ratio < CHANGE_MIN && ratio > 1 / CHANGE_MIN)) return 'none';
  return ratio > 1 ? 'better' : 'worse';
};

/** Returns the phases that the charts show, with their places. */
function placedIn(phases: readonly RunPhase[], range: TimeRange): PlacedPhase[] {
  const seen = phases.filter(({ fromS, toS }) => toS > range.fromS && fromS < range.toS);
  const places = partsWithMinWidth(
    seen.map((phase) => partOf(phase, range)),
    WIDTH_MIN,
  );
  return seen.map((phase, i) => ({ phase, place: places[i]! }));
}

/** Returns a part of the plot's width, clipped at the charts' ends. */
function partOf({ fromS, toS }: RunPhase, range: TimeRange): StripPart {
  const part = (tS: number) => (tS - range.fromS) / (range.toS - range.fromS);
  const left = Math.max(0, part(fromS));
  return { left, width: Math.min(1, part(toS)) - left };
}

/** Changes rarely, because the axis grows in steps during a run. */
function useShownRange(): TimeRange {
  const [fromS = 0, toS = 0] = useOfCharts(rangeKey).split(' ').map(Number);
  return { fromS, toS };
}

function rangeKey(session: Session): string {
  const { fromS, toS } = shownRange(session);
  return `${fromS} ${toS}`;
}
