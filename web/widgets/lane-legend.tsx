import type { LaneStyle } from '../charts/lane-chart';
import { busy_states, type BusyState } from '../contract/time-shares';

const heights: Record<BusyState, number> = {
  running: 1,
  stalled: 0.9,
  spinning: 0.78,
  waiting: 0.5,
  following: 0.4,
  ready: 0.62,
  sleeping: 0.16,
  io: 0.32,
};

/** How lanes draw each thread state. */
export const laneStyles = busy_states.map((state) => ({
  state,
  color: `--state-${state}`,
  height: heights[state],
})) satisfies LaneStyle[];

interface LaneLegendProps {
  entries: readonly { name: string; color: string; height: number }[];
}

export function LaneLegend({ entries }: LaneLegendProps) {
  return (
    <span className="legend">
      {entries.map(({ name, color, height }) => (
        <span key={name} className="legend-entry">
          <svg width="18" height="12" aria-hidden="true">
            <rect width="18" y={12 - 12 * height} height={12 * height} fill={`var(${color})`} />
          </svg>
          {name}
        </span>
      ))}
      <span className="legend-entry">
        <svg width="18" height="12" aria-hidden="true">
          <rect width="18" y="0" height="3" fill="var(--mark)" />
        </svg>
        holds the latch
      </span>
    </span>
  );
}
