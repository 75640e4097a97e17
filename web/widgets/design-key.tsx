import { designDashes, designMark } from '../charts/sweep-chart';

export interface NamedDesign {
  /** Index of the design. */
  design: number;
  title: string;
}

interface DesignKeyProps extends NamedDesign {
  hasMark?: boolean;
}

/** Shows how charts draw a design: color, dashes and, for points, their shape. */
export function DesignKey({ design, title, hasMark = false }: DesignKeyProps) {
  const shape = designMark(design, 70);
  return (
    <span className="legend-entry">
      <svg className="svg-chart" width="34" height="14" viewBox="0 0 34 14" aria-hidden="true">
        <line
          className={`design-line design-${design}`}
          x1="0"
          x2="34"
          y1="7"
          y2="7"
          strokeWidth="3"
          strokeDasharray={designDashes[design]}
        />
        {hasMark && <path className={`design-mark design-${design}`} transform="translate(17 7)" d={shape} />}
      </svg>
      {title}
    </span>
  );
}

export const DesignLegend = ({ designs }: { designs: readonly NamedDesign[] }) => (
  <div className="legend sweep-legend">
    {designs.map(({ design, title }) => (
      <DesignKey key={design} design={design} title={title} hasMark />
    ))}
  </div>
);
