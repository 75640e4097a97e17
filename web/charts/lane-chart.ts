import { thread_states } from '../engine-client/gen/telemetry-layout';
import type { ThreadState } from '../engine-client/snapshot';
import type { LaneHistory } from '../state/lane-history';
import { ChartFrame } from './chart-frame';
import { laneRange, laneRows, laneRuns } from './lanes';

const LABEL_SPACING_PX = 24;
const ROW_GAP_PART = 0.12;

/** How a state is drawn: its colour, and as a second channel how much of the lane's height it takes up. */
export interface LaneStyle {
  state: ThreadState;
  /** Custom property of the style sheet that holds the colour. */
  color: string;
  height: number;
}

export interface LaneView {
  lanes: LaneHistory;
  states_now: readonly number[];
  now_ns: number;
  width_ns: number;
}

/** A lane for each client thread, over the newest part of virtual time. */
export class LaneChart {
  readonly #styles: readonly LaneStyle[];
  readonly #frame: ChartFrame;
  #view: LaneView | null = null;
  #fills = new Map<number, { color: string; height: number }>();

  constructor(host: HTMLElement, styles: readonly LaneStyle[]) {
    this.#styles = styles;
    this.#frame = new ChartFrame(host, {
      has_mark_labels: false,
      onResize: () => {
        this.#redraw();
      },
    });
    this.restyle();
  }

  /** How many lanes fit. */
  rowsFor(clients: number): number {
    return laneRows(clients, this.#frame.height).count;
  }

  draw(view: LaneView): void {
    this.#view = view;
    this.#redraw();
  }

  restyle(): void {
    this.#frame.restyle();
    this.#fills = new Map(
      this.#styles.map(({ state, color, height }) => [
        thread_states.indexOf(state),
        { color: this.#frame.color(color), height },
      ]),
    );
    this.#redraw();
  }

  destroy(): void {
    this.#frame.destroy();
  }

  #redraw(): void {
    if (this.#view === null) return;
    const { lanes, states_now, now_ns, width_ns } = this.#view;
    const rows = laneRows(states_now.length, this.#frame.height);
    const range = laneRange(now_ns, width_ns);
    const position = (row: number) => (row + 0.5) * rows.height_px;
    const step = Math.max(1, Math.ceil(LABEL_SPACING_PX / Math.max(1, rows.height_px)));
    const ticks = Array.from({ length: Math.ceil(rows.count / step) }, (_, i) => i * step);
    const format = (row: number) => `client ${row}`;
    const time_range = { from_s: range.from_ns / 1e9, to_s: range.to_ns / 1e9 };
    this.#frame.draw(
      { range: time_range, is_virtual: true, marks: [] },
      { position, ticks, format },
      (plot) => {
        const columns = Math.max(1, Math.round(plot.width * window.devicePixelRatio));
        const px = plot.width / columns;
        const runs = laneRuns({
          lanes,
          states_now,
          now_ns,
          range,
          rows: rows.count,
          columns,
          states: thread_states.length,
        });
        const lane_px = rows.height_px * (1 - ROW_GAP_PART);
        // By state, so that the colour changes seldom.
        for (const [state, { color, height }] of this.#fills) {
          plot.context.fillStyle = color;
          for (const run of runs) {
            if (run.state !== state) continue;
            const top = position(run.row) + lane_px / 2 - lane_px * height;
            plot.context.fillRect(run.from_px * px, top, (run.to_px - run.from_px) * px, lane_px * height);
          }
        }
      },
    );
  }
}
