import type { TimeChart } from '../../charts/time-chart';
import { chartPicture, unzoomCharts, zoomCharts } from '../../session/chart-picture';
import { nearestRow, rowOfMark, stepMarks, stepRows, type Pointing } from '../../charts/chart-viewport';

import type { Session } from '../../session/session';

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
  readonly #listening = new AbortController();
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
    this.#listen('pointermove', this.#onMove);
    this.#listen('pointerdown', this.#onDown);
    this.#listen('pointerup', this.#onUp);
    this.#listen('pointerleave', this.#onLeave);
    this.#listen('pointercancel', this.#onCancel);
    this.#listen('dblclick', () => {
      unzoomCharts(session);
    });
    this.#listen('keydown', this.#onKey);
  }

  /** The chart may have moved under a pointer that did not move. */
  onDrawn(): void {
    if (this.#hovered !== null && this.#pressed === null) this.#pointAtPlace(this.#hovered);
  }

  destroy(): void {
    this.#listening.abort();
  }

  #listen<Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ): void {
    this.#cursor.addEventListener(name, listener, { signal: this.#listening.signal });
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
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = this.#actionOf(event);
    if (act === null) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  };

  /** Returns the action of a key; null if it has none here. */
  #actionOf(event: KeyboardEvent): (() => void) | null {
    const rows = event.shiftKey ? ROWS_AT_ONCE : 1;
    switch (event.key) {
      case 'ArrowRight':
      case 'ArrowUp':
        return () => {
          this.#step(rows);
        };
      case 'ArrowLeft':
      case 'ArrowDown':
        return () => {
          this.#step(-rows);
        };
      case 'Home':
        return () => {
          this.#stepTo(({ times, range }) => timeOf(times, nearestRow(times, range, range.fromS)));
        };
      case 'End':
        return () => {
          this.#stepTo(({ times, range }) => timeOf(times, nearestRow(times, range, range.toS)));
        };
      case 'PageUp':
        return () => {
          this.#stepToMark(1);
        };
      case 'PageDown':
        return () => {
          this.#stepToMark(-1);
        };
      case '+':
      case '=':
        return this.#command('chart.zoom_in');
      case '-':
      case '_':
        return this.#command('chart.zoom_out');
      case '0':
        return this.#command('chart.unzoom');
      case 'Enter':
        return () => {
          this.#select(this.#markPointedAt());
        };
      case 'Escape':
        return this.#escape();
      default:
        return null;
    }
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

  /** Moves the crosshair unless there is nothing to move to. */
  #stepTo(next: (from: StepFrom) => number | null): void {
    const { history, range } = chartPicture(this.#session);
    const { tS } = this.#session.pointing.getState();
    const wantedS = next({ times: history.column('t_s'), range, tS });
    if (wantedS !== null) this.#point({ tS: wantedS, by: 'keyboard' });
  }

  #command(id: string): () => void {
    const { commands } = this.#session;
    return () => {
      if (commands.isEnabled(id)) void commands.perform(id);
    };
  }

  /** Cancels the latest activity: selecting a range, pointing, or the zoom. */
  #escape(): (() => void) | null {
    const { tS, brush } = this.#session.pointing.getState();
    if (brush !== null) return this.#onCancel;
    if (tS !== null) {
      return () => {
        this.#point({ tS: null, by: 'keyboard' });
      };
    }
    return this.#session.store.getState().chart.zoom === null ? null : this.#command('chart.unzoom');
  }
}

interface StepFrom {
  times: Float64Array;
  range: { fromS: number; toS: number };
  tS: number | null;
}

const timeOf = (times: Float64Array, row: number | null) => (row === null ? null : times[row]!);

const placeOf = ({ offsetX: left, offsetY: top }: PointerEvent): Place => ({ left, top });
