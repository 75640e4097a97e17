import { useLayoutEffect, useRef, useState } from 'react';

import { formatCompact, formatVirtualTime } from '../analysis/format';
import { rateScale, timeScale } from '../charts/rate-scales';
import './rate-chart.css';

/** The margins of the plot, in sizes of its text. */
const MARGIN = { left: 4, right: 1.25, top: 2.1, bottom: 1.9 };
const MARK_PITCH = 1.25;
/** Width of a letter, about. */
const LETTER = 0.58;
/** A narrow chart has room for few ticks. */
const TEXTS_PER_TICK = 8;

/** A point of the line; a null rate is a gap. */
export interface RatePoint {
  tS: number;
  rate: number | null;
  isRecorded: boolean;
}

/** A step of the run. */
export interface RateMark {
  label: string;
  atS: number;
}

interface RateChartProps {
  /** What the rates count, for screen readers. */
  unit: string;
  /** Rates that the axis covers in any case, so that it does not move during the run. */
  rates: readonly number[];
  points: readonly RatePoint[];
  /** A fainter line for the rest of a recording. */
  toCome?: readonly RatePoint[];
  marks: readonly RateMark[];
  /** End of the axis of run time. */
  endS: number;
  /** Writes a rate at the axis. */
  format?: (rate: number) => string;
}

/** Draws a rate over run time: large, with the steps of the run as marks. */
export function RateChart(props: RateChartProps) {
  const { unit, rates, points, toCome = [], marks, endS, format = formatCompact } = props;
  const { ref, width, height, em } = useSize();
  const [left, right] = [MARGIN.left * em, Math.max(MARGIN.left * em, width - MARGIN.right * em)];
  const down: [number, number] = [height - MARGIN.bottom * em, (MARGIN.top + 0.75) * em];
  const x = timeScale(endS, [left, right]);
  const most = Math.max(0, ...points.map(({ rate }) => rate ?? 0));
  const { y, floor, ticks } = rateScale(rates, most, down);
  const place = ({ tS, rate }: RatePoint) => `${x(tS).toFixed(1)},${y(Math.max(rate!, floor)).toFixed(1)}`;
  const last = points.findLast(({ rate }) => rate !== null);
  const xTicks = x.ticks(Math.max(2, Math.floor(width / (TEXTS_PER_TICK * em)))).filter((tS) => tS <= endS);
  // The recording begins at the last point of the run.
  const recorded = points.filter((point, i) => point.isRecorded || points[i + 1]?.isRecorded === true);
  const computed = points.filter((point) => !point.isRecorded);
  return (
    <div className="rate-chart" ref={ref}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={chartInWords(unit, last, marks)}>
          {ticks.map((rate) => (
            <g key={rate}>
              <line className="rate-grid" x1={left} x2={right} y1={y(rate)} y2={y(rate)} />
              <text className="rate-tick" x={left - em / 2} y={y(rate)} dy="0.35em" textAnchor="end">
                {format(rate)}
              </text>
            </g>
          ))}
          {xTicks.map((tS) => (
            <text
              key={tS}
              className="rate-tick"
              x={x(tS)}
              y={height - em / 2}
              textAnchor={tS === 0 ? 'start' : 'middle'}
            >
              {timeTick(tS, endS)}
            </text>
          ))}
          <path className="rate-line-to-come" d={linePath(toCome, place)} />
          {placedMarks(marks, x, { width, em }).map((mark, number) => (
            <Mark key={number} {...mark} {...{ height, em }} />
          ))}
          <path className="rate-line" d={linePath(computed, place)} />
          <path className="rate-line rate-line-recorded" d={linePath(recorded, place)} />
          {last !== undefined && (
            <circle className="rate-now" cx={x(last.tS)} cy={y(Math.max(last.rate!, floor))} r={em * 0.375} />
          )}
        </svg>
      )}
    </div>
  );
}

interface PlacedMark {
  label: string;
  x: number;
  /** Null hides the label: there is no room for it. */
  row: number | null;
  isLate: boolean;
}

/** Places the labels in two rows, the latest ones first, so that none covers another. */
function placedMarks(
  marks: readonly RateMark[],
  x: (tS: number) => number,
  { width, em }: { width: number; em: number },
): PlacedMark[] {
  const ends = [width, width];
  return marks
    .map(({ label, atS }, number) => ({ label, x: x(atS), number }))
    .toReversed()
    .map(({ label, x: at, number }): PlacedMark => {
      const labelPx = label.length * LETTER * em + em / 2;
      const isLate = at + labelPx > width;
      const right = isLate ? at : at + labelPx;
      const row = [number % 2, 1 - (number % 2)].find((one) => right <= ends[one]!) ?? null;
      if (row !== null) ends[row] = isLate ? at - labelPx : at;
      return { label, x: at, row, isLate };
    })
    .toReversed();
}

function Mark({ label, x, row, isLate, height, em }: PlacedMark & { height: number; em: number }) {
  const top = ((row ?? 1) * MARK_PITCH + MARGIN.top - 1.6) * em;
  return (
    <g className="rate-mark">
      <line x1={x} x2={x} y1={top} y2={height - MARGIN.bottom * em} />
      {row !== null && (
        <text x={x + (isLate ? -em / 2 : em / 2)} y={top + em * 0.75} textAnchor={isLate ? 'end' : 'start'}>
          {label}
        </text>
      )}
    </g>
  );
}

function linePath(points: readonly RatePoint[], place: (point: RatePoint) => string): string {
  let path = '';
  let isOn = false;
  for (const point of points) {
    if (point.rate !== null) path += `${isOn ? 'L' : 'M'}${place(point)}`;
    isOn = point.rate !== null;
  }
  return path;
}

const timeTick = (tS: number, endS: number) =>
  endS < 1 ? `${Math.round(tS * 1e4) / 10} ms` : `${Math.round(tS * 100) / 100} s`;

function chartInWords(unit: string, last: RatePoint | undefined, marks: readonly RateMark[]): string {
  const steps = marks.map(({ label, atS }) => `${label} at ${formatVirtualTime(atS)}`);
  const now = last === undefined ? 'none yet' : `now ${formatCompact(last.rate)}`;
  return `${unit} over virtual time, ${now}. Steps: ${steps.join(', ') || 'none'}.`;
}

/** Returns the size of an element and of its text, in pixels. */
function useSize() {
  const ref = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0, em: 16 });
  useLayoutEffect(() => {
    const element = ref.current!;
    const measure = () => {
      const em = Number.parseFloat(getComputedStyle(element).fontSize) || 16;
      setSize({ width: element.clientWidth, height: element.clientHeight, em });
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => {
      observer.disconnect();
    };
  }, []);
  return { ref, ...size };
}
