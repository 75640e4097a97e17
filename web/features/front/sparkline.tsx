import { max, min } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import { area, curveStepBefore, line } from 'd3-shape';

import { formatCompact, formatFigure } from '../../analysis/format';
import { rateScaleFor, type RateScale } from '../../charts/domains';
import type { DrawnInterval, FrontRun, Manifest } from '../../contract/manifest';

type SparklineInterval = Pick<DrawnInterval, 't_s' | 'tps'>;

/** How each run is drawn. */
const looks = ['original', 'other', 'third'] as const;

const size = { width: 320, height: 80 };

/**
 * Draws the chart of a bug's card: transactions per second of up to three runs, and the times of
 * their actions.
 */
export function Sparkline({ frontRun, actions }: { frontRun: FrontRun; actions: Manifest['actions'] }) {
  const { runs, caption } = frontRun;
  const drawn = drawSparkline(
    runs.map(({ intervals }) => intervals),
    size,
  );
  const { curves, tSMax, placeOf } = drawn;
  const marks = runs[0]!.spec.actions ?? [];
  return (
    <figure className="sparkline">
      <div className="sparkline-plot">
        <svg
          role="img"
          aria-label={caption}
          viewBox={`0 0 ${size.width} ${size.height}`}
          preserveAspectRatio="none"
        >
          <path className="sparkline-area" d={curves[0]!.area} />
          {curves
            .map(({ line }, index) => <path key={line} className={`sparkline-${looks[index]}`} d={line} />)
            .toReversed()}
          {marks.map(({ at_s }) => (
            <line
              key={at_s}
              className="sparkline-mark"
              x1={placeOf(at_s) * size.width}
              x2={placeOf(at_s) * size.width}
              y1={0}
              y2={size.height}
            />
          ))}
        </svg>
        {marks.map(({ at_s, action }) => (
          <span key={at_s} className="sparkline-mark-title" style={{ left: `${placeOf(at_s) * 100}%` }}>
            {actions.find(({ id }) => id === action)?.title}
          </span>
        ))}
      </div>
      <figcaption>
        <span className="sparkline-legend">
          {runs.map(({ title }, index) => (
            <span key={title}>
              <span className={`sparkline-key sparkline-key-${looks[index]}`} /> {title}
            </span>
          ))}
        </span>
        <span>
          {scaleInWords(drawn)}, 0 to {inTime(tSMax)}
        </span>
      </figcaption>
    </figure>
  );
}

const scaleInWords = ({ tpsMin, tpsMax, rateScale }: ReturnType<typeof drawSparkline>) =>
  rateScale === 'linear'
    ? `0 to ${formatCompact(tpsMax)} TPS`
    : `${formatCompact(tpsMin)} to ${formatCompact(tpsMax)} TPS, logarithmic`;

/** Formats virtual time, not the reader's time. */
const inTime = (tS: number) =>
  tS < 1 ? `${formatFigure(tS * 1e3)} virtual ms` : `${formatFigure(tS)} virtual s`;

/**
 * Draws all runs on the same axes, as SVG paths. Throughput has the scale that the explorer's chart
 * would choose. `placeOf` returns the horizontal position of a moment, from 0 to 1.
 */
export function drawSparkline(
  runs: readonly (readonly SparklineInterval[])[],
  { width, height }: { width: number; height: number },
) {
  const tSMax = max(runs, (intervals) => intervals.at(-1)?.t_s) ?? 0;
  const axis = axisOf(runs.flatMap((intervals) => intervals.map(({ tps }) => tps)));
  const x = scaleLinear([0, tSMax], [0, width]);
  const scale = axis.rateScale === 'log' ? scaleLog() : scaleLinear();
  scale.domain([axis.tpsMin, axis.tpsMax]).range([height, 0]);
  const y = (tps: number) => scale(Math.max(tps, axis.tpsMin));
  const drawLine = line<SparklineInterval>(
    ({ t_s }) => x(t_s),
    ({ tps }) => y(tps),
  ).curve(curveStepBefore);
  const drawArea = area<SparklineInterval>(
    ({ t_s }) => x(t_s),
    height,
    ({ tps }) => y(tps),
  ).curve(curveStepBefore);
  const curves = runs.map((intervals) => {
    const steps = [{ t_s: 0, tps: intervals[0]?.tps ?? 0 }, ...intervals];
    return { line: drawLine(steps) ?? '', area: drawArea(steps) ?? '' };
  });
  return { tSMax, ...axis, curves, placeOf: scaleLinear([0, tSMax], [0, 1]) };
}

/** The axis starts at 0, or at a power of ten if it is logarithmic. */
function axisOf(rates: readonly number[]): { tpsMin: number; tpsMax: number; rateScale: RateScale } {
  const tpsMax = max(rates) ?? 0;
  const rateScale = rateScaleFor(Float64Array.from(rates));
  if (rateScale === 'linear') return { tpsMin: 0, tpsMax, rateScale };
  const smallest = min(rates.filter((tps) => tps > 0))!;
  return { tpsMin: 10 ** Math.floor(Math.log10(smallest)), tpsMax, rateScale };
}
