import type { LineSeries } from '../charts/line-chart';
import type { ShareBand } from '../charts/share-chart';

export function LineLegend({ series, names }: { series: LineSeries[]; names: string[] }) {
  return (
    <span className="legend">
      {series.map(({ column, color, width_px, dash_px }, index) => (
        <span key={column} className="legend-entry">
          <svg width="26" height="10" aria-hidden="true">
            <line
              x2="26"
              y1="5"
              y2="5"
              stroke={`var(${color})`}
              strokeWidth={width_px}
              strokeDasharray={dash_px.join(' ')}
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
      {bands.map(({ column, texture }, index) => (
        <span key={column} className="legend-entry">
          <span className={`swatch swatch-${column} texture-${texture}`} aria-hidden="true" />
          {names[index]}
        </span>
      ))}
    </span>
  );
}
