// Shows values beside the crosshair of a chart.
import type { HistoryColumn } from '../recording/history';
import { frames } from './frames';
import { setHidden, setPresent, writeText } from './quiet-dom';

/** Name and format of the values of a column. */
export interface Reading {
  column: HistoryColumn;
  name: string;
  /** Custom property of the style sheet with the color. */
  color: string;
  format: (value: number) => string;
  /** Whether a low chart may omit this value; by default it omits none. */
  isNothing?: (value: number) => boolean;
}

/** Readers cannot follow faster updates. */
const WRITE_INTERVAL_MS = 100;
/** Distance between the crosshair and the box. */
const GAP_REM = 0.5;

/** The text beside the crosshair. */
export interface ReadoutContent {
  /**
   * The crosshair's position: in pixels from the left edge of the plot, and as a fraction of its
   * width.
   */
  leftPx: number;
  leftPart: number;
  moment: string;
  /** In the order of the readings; NaN: unknown. */
  values: readonly number[];
  /** Values of another run at the same moment. */
  valuesBefore: readonly number[] | null;
  marks: readonly string[];
}

/** A small box with values, on the wider side of the crosshair. It never covers an axis. */
export class Readout {
  /** Covers the plot and the space for mark labels above it. */
  readonly room = element('div', 'readout-room');
  readonly #box = element('div', 'readout');
  readonly #moment = element('div', 'readout-moment');
  readonly #marks = element('div', 'readout-marks');
  #content: ReadoutContent | null = null;
  readonly #lines: { reading: Reading; line: HTMLElement; value: HTMLElement; before: HTMLElement }[];

  constructor(readings: readonly Reading[]) {
    // Screen readers get the same values in words.
    this.room.setAttribute('aria-hidden', 'true');
    this.#box.append(this.#moment);
    this.#lines = readings.map((reading) => this.#addLine(reading));
    this.#box.append(this.#marks);
    this.room.append(this.#box);
    this.hide();
  }

  fit({ right, bottom, left }: { right: number; bottom: number; left: number }): void {
    Object.assign(this.room.style, { right: `${right}px`, bottom: `${bottom}px`, left: `${left}px` });
  }

  /** Moves the box at once. Its text follows, in all charts together. */
  show(content: ReadoutContent): void {
    this.#content = content;
    const { leftPx, leftPart } = content;
    const beside = leftPart > 0.5 ? `calc(-100% - ${GAP_REM}rem)` : `${GAP_REM}rem`;
    this.#box.style.transform = `translateX(${Math.round(leftPx)}px) translateX(${beside})`;
    if (this.#box.hidden) this.#write();
    else writeSoon(this.#write);
    setHidden(this.#box, false);
  }

  hide(): void {
    unwritten.delete(this.#write);
    setHidden(this.#box, true);
  }

  readonly #write = (): void => {
    const { moment, values, valuesBefore, marks } = this.#content!;
    writeText(this.#moment, moment);
    for (const [i, { reading, line, value, before }] of this.#lines.entries()) {
      writeText(value, reading.format(values[i]!));
      setPresent(line, 'data-is-nothing', reading.isNothing?.(values[i]!) === true);
      writeText(before, valuesBefore === null ? '' : `before ${reading.format(valuesBefore[i]!)}`);
    }
    writeText(this.#marks, marks.join('; '));
    setHidden(this.#marks, marks.length === 0);
  };

  #addLine(reading: Reading) {
    const line = element('div', 'readout-line');
    const swatch = element('span', 'readout-swatch');
    swatch.style.background = `var(${reading.color})`;
    const name = element('span', 'readout-name');
    name.textContent = reading.name;
    const value = element('span', 'readout-value');
    const before = element('span', 'readout-before');
    line.append(swatch, name, value, before);
    this.#box.append(line);
    return { reading, line, value, before };
  }
}

const unwritten = new Set<() => void>();
let writtenAtMs = Number.NEGATIVE_INFINITY;

/**
 * Writes the text in a separate frame, because text layout is expensive. Ten times a second it
 * comes before other due work. After the pointer rests, it is written in any case.
 */
function writeSoon(write: () => void): void {
  unwritten.add(write);
  if (performance.now() - writtenAtMs >= WRITE_INTERVAL_MS) frames.scheduleFirst(writeAll);
  else frames.schedule('draw', writeAll);
}

function writeAll(): void {
  writtenAtMs = performance.now();
  for (const write of unwritten) write();
  unwritten.clear();
}

function element(name: 'div' | 'span', className: string): HTMLElement {
  const created = document.createElement(name);
  created.className = className;
  return created;
}
