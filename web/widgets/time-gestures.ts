/** A pointer that moves this far starts a drag. */
const DRAG_FROM_PX = 4;
const WHEEL_FACTOR = 1.25;

/** A chart on which the reader moves or zooms time. */
export interface TimeSurface {
  /**
   * Returns the moment at a distance in pixels from the left edge, and the time per pixel; null
   * while nothing is drawn.
   */
  timeAt: (xPx: number) => { tNs: number; nsPerPx: number } | null;
  zoom: (factor: number, aroundNs: number) => void;
  pan: (byNs: number) => void;
  /**
   * Returns what a drag from this moment does with each further one. Without it, a drag moves the
   * time under the pointer.
   */
  grab?: (tNs: number, nsPerPx: number) => (tNs: number) => void;
  /** Called with the pointer's position while it does not drag, or with null when it has left. */
  point?: (place: { xPx: number; yPx: number } | null) => void;
  press?: (place: { xPx: number; yPx: number }, tNs: number | null) => void;
  /** Shows all time after a double click. Returns false if all time was shown already. */
  reset?: () => boolean;
}

/**
 * Handles pointer, wheel and fingers over a chart of run time. The wheel zooms; with Shift or
 * sideways it moves. A drag moves. Two fingers zoom and move; one finger moving vertically scrolls
 * the page.
 */
export class TimeGestures {
  readonly #host: HTMLElement;
  readonly #surface: TimeSurface;
  readonly #pointers = new Map<number, number>();
  #pressedPx: number | null = null;
  #hasDragged = false;
  #dragTo: ((tNs: number) => void) | null = null;
  readonly destroy: () => void;

  constructor(host: HTMLElement, surface: TimeSurface) {
    this.#host = host;
    this.#surface = surface;
    this.destroy = listenTo(host, {
      pointerdown: this.#onDown,
      pointermove: this.#onMove,
      pointerup: this.#onUp,
      pointercancel: this.#onUp,
      pointerleave: () => {
        if (this.#pointers.size === 0) surface.point?.(null);
      },
      click: (event) => {
        if (!this.#hasDragged) surface.press?.(placeOf(event), surface.timeAt(event.offsetX)?.tNs ?? null);
      },
      dblclick: () => surface.reset?.(),
      wheel: this.#onWheel,
    });
  }

  readonly #onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    if (this.#pointers.size === 0) this.#hasDragged = false;
    this.#pressedPx = event.offsetX;
    const time = this.#surface.timeAt(event.offsetX);
    this.#dragTo = (time && this.#surface.grab?.(time.tNs, time.nsPerPx)) ?? null;
    this.#pointers.set(event.pointerId, event.offsetX);
  };

  readonly #onMove = (event: PointerEvent): void => {
    // The button was released elsewhere.
    if (event.buttons === 0) this.#pointers.clear();
    const beforePx = this.#pointers.get(event.pointerId);
    if (beforePx === undefined) this.#surface.point?.(placeOf(event));
    else if (this.#pointers.size > 1) this.#pinch(event.pointerId, event.offsetX);
    else this.#drag(event.pointerId, beforePx, event.offsetX);
  };

  #drag(pointer: number, beforePx: number, nowPx: number): void {
    if (!this.#hasDragged && Math.abs(nowPx - (this.#pressedPx ?? nowPx)) < DRAG_FROM_PX) return;
    if (!this.#hasDragged) this.#host.setPointerCapture(pointer);
    this.#hasDragged = true;
    this.#pointers.set(pointer, nowPx);
    const time = this.#surface.timeAt(nowPx);
    if (time === null) return;
    if (this.#dragTo === null) this.#surface.pan((beforePx - nowPx) * time.nsPerPx);
    else this.#dragTo(time.tNs);
  }

  /** The moments under both fingers remain under them. */
  #pinch(pointer: number, nowPx: number): void {
    this.#hasDragged = true;
    const before = [...this.#pointers.values()];
    this.#pointers.set(pointer, nowPx);
    const after = [...this.#pointers.values()];
    const [apartBefore, apart] = [spread(before), spread(after)];
    const time = this.#surface.timeAt(middle(after));
    if (time === null || apart === 0 || apartBefore === 0) return;
    this.#surface.pan((middle(before) - middle(after)) * time.nsPerPx);
    this.#surface.zoom(apartBefore / apart, time.tNs);
  }

  readonly #onUp = (event: PointerEvent): void => {
    this.#pointers.delete(event.pointerId);
  };

  readonly #onWheel = (event: WheelEvent): void => {
    // Leave the page's own zoom to the browser.
    if (event.ctrlKey || event.metaKey) return;
    const time = this.#surface.timeAt(event.offsetX);
    if (time === null) return;
    event.preventDefault();
    const sidewaysPx = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
    if (sidewaysPx !== 0) this.#surface.pan(sidewaysPx * time.nsPerPx);
    else if (event.deltaY !== 0)
      this.#surface.zoom(event.deltaY > 0 ? WHEEL_FACTOR : 1 / WHEEL_FACTOR, time.tNs);
  };
}

const placeOf = (event: MouseEvent) => ({ xPx: event.offsetX, yPx: event.offsetY });
const spread = (places: readonly number[]) => Math.max(...places) - Math.min(...places);
const middle = (places: readonly number[]) => (Math.max(...places) + Math.min(...places)) / 2;

type Listeners = { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void };

/** Calls listeners by the names of their events. Returns a function that removes them. */
export function listenTo(element: HTMLElement, listeners: Listeners): () => void {
  const listening = new AbortController();
  for (const [name, listener] of Object.entries(listeners))
    element.addEventListener(name, listener as EventListener, { signal: listening.signal, passive: false });
  return () => listening.abort();
}
