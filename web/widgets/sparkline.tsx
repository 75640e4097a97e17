import { formatCompact, formatFigure } from '../analysis/format';
import { drawSparkline, type Sparkline as Drawn } from '../charts/sparkline';
import type { FrontRun, Manifest } from '../contract/manifest';

const size = { width: 320, height: 80 };

/**
 * Draws the chart of a bug's card: transactions per second of one or two runs, and the times of
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
          {curves.toReversed().map(({ line }, index) => (
            <path
              key={line}
              className={index === curves.length - 1 ? 'sparkline-original' : 'sparkline-other'}
              d={line}
            />
          ))}
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
        <span className="sparkline-scale">{scaleInWords(drawn)}</span>
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
              <span className={index === 0 ? 'sparkline-key' : 'sparkline-key sparkline-key-other'} /> {title}
            </span>
          ))}
        </span>
        <span>0 to {inTime(tSMax)}</span>
      </figcaption>
    </figure>
  );
}

const scaleInWords = ({ tpsMin, tpsMax, rateScale }: Drawn) =>
  rateScale === 'linear'
    ? `${formatCompact(tpsMax)} TPS`
    : `${formatCompact(tpsMin)} to ${formatCompact(tpsMax)} TPS, logarithmic`;

/** Formats virtual time, not the reader's time. */
const inTime = (tS: number) =>
  tS < 1 ? `${formatFigure(tS * 1e3)} virtual ms` : `${formatFigure(tS)} virtual s`;
