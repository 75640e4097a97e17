/** A pointer that moves this far starts a drag. */
const DRAG_FROM_PX = 4;
const WHEEL_FACTOR = 1.25;

/** A chart on which the reader moves or zooms time. */
export interface TimeSurface {
  /**
   * Returns the moment at a distance in pixels from the left edge, and the time per pixel; null
   * while nothing is drawn.
   */
  timeAt: (x_px: number) => { tNs: number; nsPerPx: number } | null;
  zoom: (factor: number, around_ns: number) => void;
  pan: (by_ns: number) => void;
  /** Called with the pointer's position while it does not drag, or with null when it has left. */
  point: (place: { x_px: number; y_px: number } | null) => void;
  press: (place: { x_px: number; y_px: number }) => void;
}

/**
 * Handles pointer, wheel and fingers over a chart of virtual time. The wheel zooms; with Shift or
 * sideways it moves. A drag moves. Two fingers zoom and move; one finger moving vertically scrolls
 * the page.
 */
export class WindowGestures {
  readonly #host: HTMLElement;
  readonly #surface: TimeSurface;
  readonly #listening = new AbortController();
  readonly #pointers = new Map<number, number>();
  #pressed_px: number | null = null;
  #has_dragged = false;

  constructor(host: HTMLElement, surface: TimeSurface) {
    this.#host = host;
    this.#surface = surface;
    this.#listen('pointerdown', this.#onDown);
    this.#listen('pointermove', this.#onMove);
    this.#listen('pointerup', this.#onUp);
    this.#listen('pointercancel', this.#onUp);
    this.#listen('pointerleave', () => {
      if (this.#pointers.size === 0) surface.point(null);
    });
    this.#listen('click', (event) => {
      if (!this.#has_dragged) surface.press(placeOf(event));
    });
    this.#listen('wheel', this.#onWheel);
  }

  destroy(): void {
    this.#listening.abort();
  }

  #listen<Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ): void {
    this.#host.addEventListener(name, listener, { signal: this.#listening.signal, passive: false });
  }

  readonly #onDown = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    if (this.#pointers.size === 0) this.#has_dragged = false;
    this.#pressed_px = event.offsetX;
    this.#pointers.set(event.pointerId, event.offsetX);
  };

  readonly #onMove = (event: PointerEvent): void => {
    // The button was released elsewhere.
    if (event.buttons === 0) this.#pointers.clear();
    const before_px = this.#pointers.get(event.pointerId);
    if (before_px === undefined) this.#surface.point(placeOf(event));
    else if (this.#pointers.size > 1) this.#pinch(event.pointerId, event.offsetX);
    else this.#drag(event.pointerId, before_px, event.offsetX);
  };

  #drag(pointer: number, before_px: number, now_px: number): void {
    if (!this.#has_dragged && Math.abs(now_px - (this.#pressed_px ?? now_px)) < DRAG_FROM_PX) return;
    if (!this.#has_dragged) this.#host.setPointerCapture(pointer);
    this.#has_dragged = true;
    this.#pointers.set(pointer, now_px);
    const time = this.#surface.timeAt(now_px);
    if (time !== null) this.#surface.pan((before_px - now_px) * time.nsPerPx);
  }

  /** The moments under both fingers remain under them. */
  #pinch(pointer: number, now_px: number): void {
    this.#has_dragged = true;
    const before = [...this.#pointers.values()];
    this.#pointers.set(pointer, now_px);
    const after = [...this.#pointers.values()];
    const [apart_before, apart] = [spread(before), spread(after)];
    const time = this.#surface.timeAt(middle(after));
    if (time === null || apart === 0 || apart_before === 0) return;
    this.#surface.pan((middle(before) - middle(after)) * time.nsPerPx);
    this.#surface.zoom(apart_before / apart, time.tNs);
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
    const sideways_px = event.shiftKey ? event.deltaX || event.deltaY : event.deltaX;
    if (sideways_px !== 0) this.#surface.pan(sideways_px * time.nsPerPx);
    else if (event.deltaY !== 0)
      this.#surface.zoom(event.deltaY > 0 ? WHEEL_FACTOR : 1 / WHEEL_FACTOR, time.tNs);
  };
}

const placeOf = (event: MouseEvent) => ({ x_px: event.offsetX, y_px: event.offsetY });
const spread = (places: readonly number[]) => Math.max(...places) - Math.min(...places);
const middle = (places: readonly number[]) => (Math.max(...places) + Math.min(...places)) / 2;
