import type { TimeChart } from '../../charts/time-chart';
import { chartPicture, unzoomCharts, zoomCharts } from '../../session/chart-picture';
import { nearestRow, rowOfMark, stepMarks, stepRows, type Pointing } from '../../charts/chart-viewport';

import type { Session } from '../../session/session';
import { listenTo } from '../../widgets/time-gestures';

/** A shorter movement with the pointer down does not select a range. */
const BRUSH_PX_MIN = 5;
const ROWS_AT_ONCE = 10;

interface Place {
  left: number;
  top: number;
}

/** Converts pointer and keyboard events over a chart to a moment in all charts, and to zooms. */
export class ChartPointer {
  readonly #cursor: HTMLElement;
  readonly #chart: TimeChart;
  readonly #session: Session;
  readonly #selectPoint: (session: Session, tS: number) => void;
  readonly destroy: () => void;
  #hovered: Place | null = null;
  /** Where the pointer went down, and the moment there. */
  #pressed: (Place & { tS: number }) | null = null;

  /** `selectPoint` handles a press where there is no mark. */
  constructor(
    cursor: HTMLElement,
    chart: TimeChart,
    session: Session,
    selectPoint: (session: Session, tS: number) => void = () => undefined,
  ) {
    this.#selectPoint = selectPoint;
    this.#cursor = cursor;
    this.#chart = chart;
    this.#session = session;
    this.destroy = listenTo(cursor, {
      pointermove: this.#onMove,
      pointerdown: this.#onDown,
      pointerup: this.#onUp,
      pointerleave: this.#onLeave,
      pointercancel: this.#onCancel,
      dblclick: () => unzoomCharts(session),
      keydown: this.#onKey,
    });
  }

  /** The chart may have moved under a pointer that did not move. */
  onDrawn(): void {
    if (this.#hovered !== null && this.#pressed === null) this.#pointAtPlace(this.#hovered);
  }

  readonly #onMove = (event: PointerEvent): void => {
    const place = placeOf(event);
    if (this.#pressed !== null) this.#dragTo(place, event.pointerId);
    else if (event.pointerType !== 'touch') {
      this.#hovered = place;
      this.#pointAtPlace(place);
    }
  };

  readonly #onDown = (event: PointerEvent): void => {
    if (event.button !== 0 || !event.isPrimary) return;
    const place = placeOf(event);
    this.#pressed = { ...place, tS: this.#chart.placeAt(place.left, place.top).tS };
  };

  readonly #onUp = (event: PointerEvent): void => {
    const { brush } = this.#session.pointing.getState();
    if (this.#pressed === null) return;
    this.#pressed = null;
    this.#point({ brush: null });
    if (brush === null) {
      this.#pointAtPlace(placeOf(event));
      this.#select(this.#chart.placeAt(event.offsetX, event.offsetY).mark?.tS);
    } else zoomCharts(this.#session, brush);
  };

  readonly #onLeave = (event: PointerEvent): void => {
    this.#hovered = null;
    const { by } = this.#session.pointing.getState();
    // Lifting a finger ends a touch, but the moment remains.
    if (this.#pressed === null && by === 'pointer' && event.pointerType !== 'touch')
      this.#point({ tS: null });
  };

  readonly #onCancel = (): void => {
    this.#pressed = null;
    this.#point({ brush: null });
  };

  #dragTo(place: Place, pointerId: number): void {
    const { tS, left } = this.#pressed!;
    const { brush } = this.#session.pointing.getState();
    if (brush === null && Math.abs(place.left - left) < BRUSH_PX_MIN) return;
    this.#cursor.setPointerCapture(pointerId);
    const hereS = this.#chart.placeAt(place.left, place.top).tS;
    this.#point({ tS: null, brush: { fromS: Math.min(tS, hereS), toS: Math.max(tS, hereS) } });
  }

  #pointAtPlace({ left, top }: Place): void {
    const { history, range } = chartPicture(this.#session);
    const { tS, mark } = this.#chart.placeAt(left, top);
    const times = history.column('t_s');
    const row = mark === null ? nearestRow(times, range, tS) : rowOfMark(times, mark.tS);
    this.#point({ tS: row === null ? null : times[row]!, by: 'pointer' });
  }

  /** Selects the pressed mark for the inspector, else the point of the line. */
  #select(markTS: number | undefined): void {
    const mark = this.#session.store.getState().marks.find(({ run_ns }) => run_ns / 1e9 === markTS);
    const { tS } = this.#session.pointing.getState();
    if (mark !== undefined) this.#session.select({ kind: 'mark', number: mark.number });
    else if (tS !== null) this.#selectPoint(this.#session, tS);
  }

  #point(change: Partial<Pointing>): void {
    const { pointing } = this.#session;
    const before = pointing.getState();
    const after = { ...before, ...change };
    if (after.tS !== before.tS || after.by !== before.by || after.brush !== before.brush)
      pointing.setState(after);
  }

  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.#act(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Performs the action of a key; returns false if it has none here. */
  #act({ key, shiftKey }: KeyboardEvent): boolean {
    const rows = shiftKey ? ROWS_AT_ONCE : 1;
    if (key === 'ArrowRight' || key === 'ArrowUp') this.#step(rows);
    else if (key === 'ArrowLeft' || key === 'ArrowDown') this.#step(-rows);
    else if (key === 'Home') this.#stepTo(({ range }) => range.fromS);
    else if (key === 'End') this.#stepTo(({ range }) => range.toS);
    else if (key === 'PageUp') this.#stepToMark(1);
    else if (key === 'PageDown') this.#stepToMark(-1);
    else if (key === '+' || key === '=') this.#perform('chart.zoom_in');
    else if (key === '-' || key === '_') this.#perform('chart.zoom_out');
    else if (key === '0') this.#perform('chart.unzoom');
    else if (key === 'Enter') this.#select(this.#markPointedAt());
    else return key === 'Escape' && this.#escape();
    return true;
  }

  /** Returns the mark shown at the moment under the crosshair. */
  #markPointedAt(): number | undefined {
    const { history, marks } = chartPicture(this.#session);
    const times = history.column('t_s');
    const { tS } = this.#session.pointing.getState();
    const isHere = (markS: number) => {
      const row = rowOfMark(times, markS);
      return row !== null && times[row] === tS;
    };
    return marks.map(({ run_ns }) => run_ns / 1e9).findLast(isHere);
  }

  #step(rows: number): void {
    this.#stepTo(({ times, range, tS }) => stepRows(times, range, tS, rows));
  }

  #stepToMark(direction: 1 | -1): void {
    const { marks } = chartPicture(this.#session);
    const marksS = marks.map(({ run_ns }) => run_ns / 1e9);
    this.#stepTo(({ times, range, tS }) => stepMarks(times, range, tS, marksS, direction));
  }

  /** Moves the crosshair to the row nearest to a moment, unless there is none. */
  #stepTo(next: (from: StepFrom) => number | null): void {
    const { history, range } = chartPicture(this.#session);
    const times = history.column('t_s');
    const wantedS = next({ times, range, tS: this.#session.pointing.getState().tS });
    const row = wantedS === null ? null : nearestRow(times, range, wantedS);
    if (row !== null) this.#point({ tS: times[row]!, by: 'keyboard' });
  }

  #perform(id: string): void {
    const { commands } = this.#session;
    if (commands.isEnabled(id)) void commands.perform(id);
  }

  /**
   * Cancels the latest activity: selecting a range, pointing, or the zoom. Returns false if there
   * is none.
   */
  #escape(): boolean {
    const { tS, brush } = this.#session.pointing.getState();
    const isZoomed = this.#session.store.getState().chart.zoom !== null;
    if (brush !== null) this.#onCancel();
    else if (tS !== null) this.#point({ tS: null, by: 'keyboard' });
    else if (isZoomed) this.#perform('chart.unzoom');
    else return false;
    return true;
  }
}

interface StepFrom {
  times: Float64Array;
  range: { fromS: number; toS: number };
  tS: number | null;
}

const placeOf = ({ offsetX: left, offsetY: top }: PointerEvent): Place => ({ left, top });
