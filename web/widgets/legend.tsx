import type { LineSeries } from '../charts/line-chart';
import type { ShareBand } from '../charts/share-chart';

/** Explains how charts draw latencies: a band, and dots above it. */
export function LatencyLegend() {
  return (
    <span className="legend">
      <span className="legend-entry">
        <span className="swatch swatch-latency" aria-hidden="true" />
        p50 to p99
      </span>
      <span className="legend-entry">
        <svg width="10" height="10" aria-hidden="true">
          <circle cx="5" cy="5" r="2.5" fill="var(--series-max)" />
        </svg>
        max
      </span>
    </span>
  );
}

export function LineLegend({ series, names }: { series: LineSeries[]; names: string[] }) {
  return (
    <span className="legend">
      {series.map(({ column, color, widthPx, dashPx }, index) => (
        <span key={column} className="legend-entry">
          <svg width="26" height="10" aria-hidden="true">
            <line
              x2="26"
              y1="5"
              y2="5"
              stroke={`var(${color})`}
              strokeWidth={widthPx}
              strokeDasharray={dashPx.join(' ')}
            />
          </svg>
          {names[index]}
        </span>
      ))}
    </span>
  );
}

export function BandLegend({ bands, names }: { bands: ShareBand[]; names: string[] }) {
  return (
    <span className="legend">
      {bands.map(({ column, color, texture }, index) => (
        <span key={column} className="legend-entry">
          <span
            className={`swatch texture-${texture}`}
            style={{ backgroundColor: `var(${color})` }}
            aria-hidden="true"
          />
          {names[index]}
        </span>
      ))}
    </span>
  );
}
