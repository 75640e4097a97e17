import type { TimeRange } from '../../charts/chart';
import { moved, scaledAround } from '../../charts/chart-viewport';
import type { OverviewChart } from '../../charts/overview-chart';
import { overviewRange, shownRange, unzoomCharts, zoomCharts } from '../../session/chart-picture';
import type { Session } from '../../session/session';

/** Distance within which a pointer is on an edge of the window. */
const EDGE_REACH_PX = 7;
const STEP_PART = 0.1;
const LONG_STEP_PART = 0.5;
const ZOOM_FACTOR = 1.25;

type Dragged = 'window' | 'from' | 'to' | 'new';

/** Moves and zooms the charts' range by pointer, wheel and keys over the overview. */
export class OverviewPointer {
  readonly #handle: HTMLElement;
  readonly #chart: OverviewChart;
  readonly #session: Session;
  readonly #listening = new AbortController();
  #drag: { what: Dragged; fromS: number; range: TimeRange } | null = null;

  constructor(handle: HTMLElement, chart: OverviewChart, session: Session) {
    this.#handle = handle;
    this.#chart = chart;
    this.#session = session;
    this.#listen('pointerdown', this.#onDown);
    this.#listen('pointermove', this.#onMove);
    this.#listen('pointerup', this.#onUp);
    this.#listen('pointercancel', this.#onUp);
    this.#listen('wheel', this.#onWheel);
    this.#listen('keydown', this.#onKey);
    this.#listen('dblclick', () => {
      unzoomCharts(session);
    });
  }

  destroy(): void {
    this.#listening.abort();
  }

  #listen<Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ): void {
    this.#handle.addEventListener(name, listener, { signal: this.#listening.signal, passive: false });
  }

  readonly #onDown = (event: PointerEvent): void => {
    if (event.button !== 0 || !event.isPrimary) return;
    const { tS, sPerPx } = this.#chart.placeAt(event.offsetX);
    const range = shownRange(this.#session);
    this.#drag = { what: this.#whatLiesAt(tS, sPerPx, range), fromS: tS, range };
    this.#handle.setPointerCapture(event.pointerId);
  };

  #whatLiesAt(tS: number, sPerPx: number, range: TimeRange): Dragged {
    const isNear = (edgeS: number) => Math.abs(tS - edgeS) <= EDGE_REACH_PX * sPerPx;
    if (isNear(range.fromS)) return 'from';
    if (isNear(range.toS)) return 'to';
    const whole = overviewRange(this.#session);
    const isAll = range.fromS <= whole.fromS && range.toS >= whole.toS;
    return !isAll && tS > range.fromS && tS < range.toS ? 'window' : 'new';
  }

  readonly #onMove = (event: PointerEvent): void => {
    if (this.#drag === null) return;
    const { what, fromS, range } = this.#drag;
    const { tS } = this.#chart.placeAt(event.offsetX);
    if (tS === fromS) return;
    if (what === 'window') this.#show(moved(range, tS - fromS));
    else if (what === 'new') this.#show(between(fromS, tS));
    else this.#show(between(tS, what === 'from' ? range.toS : range.fromS));
  };

  readonly #onUp = (): void => {
    this.#drag = null;
  };

  readonly #onWheel = (event: WheelEvent): void => {
    // Leave the page's own zoom to the browser.
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const range = shownRange(this.#session);
    const { tS, sPerPx } = this.#chart.placeAt(event.offsetX);
    const sidewaysPx = event.shiftKey ? event.deltaY : event.deltaX;
    if (sidewaysPx !== 0) this.#show(moved(range, sidewaysPx * sPerPx));
    else if (event.deltaY !== 0)
      this.#show(scaledAround(range, tS, event.deltaY > 0 ? ZOOM_FACTOR : 1 / ZOOM_FACTOR));
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const wanted = this.#rangeAfter(event);
    if (wanted === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (wanted === null) unzoomCharts(this.#session);
    else this.#show(wanted);
  };

  /**
   * Returns null for the charts' default range, and undefined if the overview does not use the key.
   */
  #rangeAfter(event: KeyboardEvent): TimeRange | null | undefined {
    const range = shownRange(this.#session);
    const whole = overviewRange(this.#session);
    const spanS = range.toS - range.fromS;
    const stepS = spanS * (event.shiftKey ? LONG_STEP_PART : STEP_PART);
    const middleS = (range.fromS + range.toS) / 2;
    switch (event.key) {
      case 'ArrowLeft':
      case 'ArrowDown':
        return moved(range, -stepS);
      case 'ArrowRight':
      case 'ArrowUp':
        return moved(range, stepS);
      case 'Home':
        return moved(range, whole.fromS - range.fromS);
      case 'End':
        return moved(range, whole.toS - range.toS);
      case '+':
      case '=':
        return scaledAround(range, middleS, 1 / ZOOM_FACTOR);
      case '-':
      case '_':
        return scaledAround(range, middleS, ZOOM_FACTOR);
      case '0':
      case 'Escape':
        return this.#session.store.getState().chart.zoom === null ? undefined : null;
      default:
        return undefined;
    }
  }

  #show(range: TimeRange): void {
    zoomCharts(this.#session, range);
  }
}

const between = (oneS: number, otherS: number): TimeRange => ({
  fromS: Math.min(oneS, otherS),
  toS: Math.max(oneS, otherS),
});
