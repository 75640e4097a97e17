import { ChartFrame } from './chart-frame';
import { queueDepths, type TrackPicture } from './latch-track';
import type { Plot } from './plot';

const VEIL_OPACITY = 0.68;
const EDGE_PX = 3;
const WINDOW_MIN_PX = 6;

export interface WindowStripView {
  /** Queue of the selected latch. */
  queue: TrackPicture['queue'];
  /** The known time. */
  known: TrackPicture['range'];
  nowNs: number;
  /** The range that track and lanes show. */
  shown: TrackPicture['range'];
}

/**
 * Draws the number of threads that wanted the selected latch, over all known time. A veil covers
 * the time that track and lanes do not show.
 */
export class WindowStripChart {
  readonly #frame: ChartFrame;
  #view: WindowStripView | null = null;
  #queueColor = '';
  #edgeColor = '';

  constructor(host: HTMLElement) {
    this.#frame = new ChartFrame(host, {
      hasMarkLabels: false,
      onResize: () => {
        this.#redraw();
      },
    });
    this.restyle();
  }

  timeAt(xPx: number): { tNs: number; nsPerPx: number } | null {
    return this.#view === null ? null : this.#frame.timeAt(xPx);
  }

  draw(view: WindowStripView): void {
    this.#view = view;
    this.#redraw();
  }

  restyle(): void {
    this.#frame.restyle();
    this.#queueColor = this.#frame.color('--queue');
    this.#edgeColor = this.#frame.color('--accent');
    this.#redraw();
  }

  destroy(): void {
    this.#frame.destroy();
  }

  #redraw(): void {
    if (this.#view === null) return;
    const { known } = this.#view;
    const axis = { position: () => 0, ticks: [], format: String };
    const range = { fromS: known.fromNs / 1e9, toS: known.toNs / 1e9 };
    this.#frame.draw({ range, isVirtual: true, marks: [] }, axis, (plot) => {
      this.#drawQueue(plot);
      this.#drawWindow(plot);
    });
  }

  #drawQueue({ context, width, height }: Plot): void {
    const { queue, known, nowNs } = this.#view!;
    const columns = Math.max(1, Math.round(width));
    const depths = queueDepths({ holds: [], queue, range: known, nowNs, columns });
    const deepest = depths.reduce((most, depth) => Math.max(most, depth), 1);
    context.fillStyle = this.#queueColor;
    for (const [column, depth] of depths.entries()) {
      const depthPx = (height * depth) / deepest;
      if (depth > 0) context.fillRect((column * width) / columns, height - depthPx, width / columns, depthPx);
    }
  }

  #drawWindow({ context, x, height, width, style }: Plot): void {
    const { fromNs, toNs } = this.#view!.shown;
    const left = Math.max(0, x(fromNs / 1e9));
    const right = Math.min(width, Math.max(left + WINDOW_MIN_PX, x(toNs / 1e9)));
    context.save();
    context.globalAlpha = VEIL_OPACITY;
    context.fillStyle = style.panel;
    context.fillRect(0, 0, left, height);
    context.fillRect(right, 0, width - right, height);
    context.restore();
    context.fillStyle = this.#edgeColor;
    context.fillRect(left, 0, EDGE_PX, height);
    context.fillRect(right - EDGE_PX, 0, EDGE_PX, height);
  }
}
