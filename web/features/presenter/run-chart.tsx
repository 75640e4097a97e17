import { useEffect, useState } from 'react';

import { formatDurationNs } from '../../analysis/format';
import { rateLine, transactionsShortS } from '../../analysis/rate-line';
import { frames } from '../../charts/frames';
import type { HistoryRows } from '../../recording/history';
import { measuredPhases } from '../../session/measured-phases';
import { RateChart, type RatePoint } from '../../widgets/rate-chart';
import { useExplorer, useSession } from '../../widgets/session-context';
import { usePhases } from '../../widgets/use-phases';
import { phasesOfResult } from './slide-numbers';
import type { RecordedResult, SlideShow } from './slide-show';

/** A line needs no more points. */
const POINTS_MAX = 1500;
const SHORT_PART = 0.05;

/** Draws the throughput of the shown run, or of its recorded result. */
export function ThroughputFigure({ show }: { show: SlideShow }) {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const clients = useExplorer(({ spec }) => spec?.threads ?? 0);
  const { stage, recorded } = show;
  const result = show.recordedResult();
  const rates =
    result === null
      ? []
      : measuredPhases(result.course, manifest).flatMap(({ tps }) => (tps === null || tps === 0 ? [] : tps));
  const shortS = transactionsShortS(clients / Math.min(...rates));
  return (
    <RunLine
      show={show}
      unit={stage?.story.rate ?? 'transactions/s'}
      rates={result === null ? null : rates}
      recorded={recorded}
      lineOf={(rows) => {
        const line = rateLine(rows, shortS);
        return { tS: line.tS, values: line.rates };
      }}
    />
  );
}

/** Draws the latency of the slowest transactions but one in a hundred. */
export const LatencyFigure = ({ show }: { show: SlideShow }) => (
  <RunLine
    show={show}
    unit="p99 latency"
    rates={null}
    recorded={null}
    format={formatDurationNs}
    lineOf={(rows) => ({ tS: rows.column('t_s'), values: rows.column('p99_ns') })}
  />
);

interface Line {
  tS: Float64Array;
  values: Float64Array;
}

interface RunLineProps {
  show: SlideShow;
  unit: string;
  /** Rates that the axis covers; null: those of the line. */
  rates: readonly number[] | null;
  recorded: RecordedResult | null;
  lineOf: (rows: HistoryRows) => Line;
  format?: (value: number) => string;
}

function RunLine({ show: { work }, unit, recorded, rates, lineOf, ...rest }: RunLineProps) {
  const { history } = useSession();
  const manifest = useExplorer((state) => state.scenario.manifest);
  const live = usePhases();
  useHistoryChanges();
  const course = recorded?.course;
  const [, ...changes] = recorded === null ? live : phasesOfResult(recorded, manifest);
  const endS = recorded?.toS ?? (Math.max(history.endS, work?.toS ?? 0) || 1);
  const isRecorded = recorded !== null;
  const points = pointsOf(lineOf(course?.history ?? history), endS, isRecorded);
  return (
    <>
      <p className="slide-caption">
        {unit} <span>{isRecorded ? 'recorded' : 'in virtual time'}</span>
      </p>
      <RateChart
        unit={unit}
        points={points}
        rates={rates ?? [lowOf(points)]}
        marks={changes.map(({ label, fromS }) => ({ label, atS: fromS }))}
        endS={endS}
        {...rest}
      />
    </>
  );
}

/** Returns a rate below which the line is only for a short time. */
function lowOf(points: readonly RatePoint[]): number {
  const rates = points.flatMap(({ rate }) => (rate === null || rate <= 0 ? [] : [rate]));
  return rates.toSorted((a, b) => a - b)[Math.floor(rates.length * SHORT_PART)] ?? 0;
}

function pointsOf({ tS, values }: Line, endS: number, isRecorded: boolean): RatePoint[] {
  const stride = Math.ceil(tS.length / POINTS_MAX);
  const points: RatePoint[] = [];
  for (let row = 0; row < tS.length && tS[row]! <= endS; row += stride) {
    const value = values[row]!;
    points.push({ tS: tS[row]!, rate: Number.isNaN(value) ? null : value, isRecorded });
  }
  return points;
}

/** Renders again while the run continues. */
function useHistoryChanges(): void {
  const { history } = useSession();
  const [, setChanges] = useState(0);
  useEffect(() => {
    const draw = () => {
      setChanges(history.changes);
    };
    const unsubscribe = history.subscribe(() => {
      frames.schedule('draw', draw);
    });
    return () => {
      unsubscribe();
      frames.cancel(draw);
    };
  }, [history]);
}
