import { scaleLinear, scaleLog } from 'd3-scale';
import { useLayoutEffect, useRef, useState } from 'react';

import { formatCompact, formatVirtualTime } from '../../analysis/format';
import type { StageStep, StageStory } from '../../contract/scenario-files/stage';
import type { StageNumber } from './numbers';
import type { ChartPoint, TakenStep } from './timeline';

const MARGIN = { left: 64, right: 20, top: 34, bottom: 30 };
/** With a larger factor between the rates, the axis is logarithmic. */
const LINEAR_MAX = 10;
const TICKS = 4;
/** A narrow chart has room for few ticks. */
const PX_PER_TICK = 130;

interface StageChartProps {
  story: StageStory;
  numbers: readonly StageNumber[];
  points: readonly ChartPoint[];
  toCome: readonly ChartPoint[];
  steps: readonly TakenStep[];
  playS: number;
}

/** Draws throughput over run time: large, with the steps as marks. */
export function StageChart({ story, numbers, points, toCome, steps, playS }: StageChartProps) {
  const { ref, width, height } = useSize();
  const endS = Math.max(story.course.duration_s, playS * 1.02);
  const x = scaleLinear([0, endS], [MARGIN.left, Math.max(MARGIN.left, width - MARGIN.right)]);
  const { y, floor, ticks } = rateScale(numbers, points, height);
  const place = ({ tS, rate }: ChartPoint) => `${x(tS).toFixed(1)},${y(Math.max(rate!, floor)).toFixed(1)}`;
  const last = points.findLast(({ rate }) => rate !== null);
  const xTicks = x.ticks(Math.max(2, Math.floor(width / PX_PER_TICK))).filter((tS) => tS <= endS);
  return (
    <div className="stage-chart" ref={ref}>
      {width > 0 && (
        <svg width={width} height={height} role="img" aria-label={chartInWords(story, last, steps)}>
          {ticks.map((rate) => (
            <g key={rate}>
              <line className="stage-grid" x1={MARGIN.left} x2={x.range()[1]} y1={y(rate)} y2={y(rate)} />
              <text className="stage-tick" x={MARGIN.left - 8} y={y(rate)} dy="0.35em" textAnchor="end">
                {formatCompact(rate)}
              </text>
            </g>
          ))}
          {xTicks.map((tS) => (
            <text
              key={tS}
              className="stage-tick"
              x={x(tS)}
              y={height - 8}
              textAnchor={tS === 0 ? 'start' : 'middle'}
            >
              {timeTick(tS, endS)}
            </text>
          ))}
          <path className="stage-line-to-come" d={linePath(toCome, place)} />
          {steps.map(({ step, atS }, number) => (
            <StepMark
              key={number}
              label={labelOf(step, number, story, steps)}
              x={x(atS)}
              width={width}
              height={height}
              row={number % 2}
            />
          ))}
          <path
            className="stage-line"
            d={linePath(
              points.filter(({ isRecorded }) => !isRecorded),
              place,
            )}
          />
          <path
            className="stage-line stage-line-recorded"
            d={linePath(
              points.filter(({ isRecorded }) => isRecorded),
              place,
            )}
          />
          {last !== undefined && (
            <circle className="stage-now" cx={x(last.tS)} cy={y(Math.max(last.rate!, floor))} r={6} />
          )}
        </svg>
      )}
    </div>
  );
}

interface StepMarkProps {
  label: string;
  x: number;
  width: number;
  height: number;
  row: number;
}

function StepMark({ label, x, width, height, row }: StepMarkProps) {
  const isLate = x > width * 0.7;
  return (
    <g className="stage-mark">
      <line x1={x} x2={x} y1={MARGIN.top - 26 + row * 20} y2={height - MARGIN.bottom} />
      <text x={isLate ? x - 8 : x + 8} y={MARGIN.top - 14 + row * 20} textAnchor={isLate ? 'end' : 'start'}>
        {label}
      </text>
    </g>
  );
}

function labelOf(
  step: StageStep,
  number: number,
  { break: broken }: StageStory,
  steps: readonly TakenStep[],
) {
  if (step !== 'break') return step === 'fixed' ? 'Fixed' : 'Original';
  const isAgain = steps.slice(0, number).some((one) => one.step === 'break');
  return (isAgain ? broken.again : undefined) ?? broken.title;
}

/** The axis covers the numbers of the stage, so it does not move during the run. */
function rateScale(numbers: readonly StageNumber[], points: readonly ChartPoint[], height: number) {
  const rates = numbers.filter(({ figure }) => figure === 'rate').map(({ value }) => value);
  const most = Math.max(...rates, ...points.map(({ rate }) => rate ?? 0)) * 1.08;
  const least = Math.min(...rates.filter((rate) => rate > 0));
  const range = [height - MARGIN.bottom, MARGIN.top + 12];
  if (most / least <= LINEAR_MAX) {
    const y = scaleLinear([0, most], range).nice(TICKS);
    return { y, floor: 0, ticks: y.ticks(TICKS) };
  }
  const floor = 10 ** Math.floor(Math.log10(least / 2));
  const y = scaleLog([floor, most], range);
  const decades = y.ticks().filter((rate) => Number.isInteger(Math.round(Math.log10(rate) * 1e6) / 1e6));
  return { y, floor, ticks: decades };
}

function linePath(points: readonly ChartPoint[], place: (point: ChartPoint) => string): string {
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

function chartInWords(story: StageStory, last: ChartPoint | undefined, steps: readonly TakenStep[]): string {
  const marks = steps.map(
    ({ step, atS }, number) => `${labelOf(step, number, story, steps)} at ${formatVirtualTime(atS)}`,
  );
  const now = last === undefined ? 'none yet' : `now ${formatCompact(last.rate)}`;
  return `${story.rate} over virtual time, ${now}. Steps: ${marks.join(', ') || 'none'}.`;
}

/** Returns the size of an element in pixels. */
function useSize() {
  const ref = useRef<HTMLDivElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current!;
    const observer = new ResizeObserver(() => {
      setSize({ width: element.clientWidth, height: element.clientHeight });
    });
    observer.observe(element);
    setSize({ width: element.clientWidth, height: element.clientHeight });
    return () => {
      observer.disconnect();
    };
  }, []);
  return { ref, ...size };
}
