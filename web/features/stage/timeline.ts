// Decides what the stage shows at each moment: the run itself, or the recorded course until the
// engine has caught up.
import { bisectRight } from 'd3-array';

import type { QueuePicture } from '../../analysis/client-queue';
import type { StageStep, StageStory } from '../../contract/scenario-files/stage';
import type { HistoryRows } from '../../recording/history';
import { rateLine, transactionsShortS, type RateLine } from '../../analysis/rate-line';
import type { RatePoint } from '../../widgets/rate-chart';
import type { Course } from '../../session/course';

/** A step of the reader. */
export interface TakenStep {
  step: StageStep;
  atS: number;
}

/** A part of the recorded course on the stage's time. */
interface Segment {
  /** Where it begins on the stage. */
  startS: number;
  /** Its part of the recording. */
  fromS: number;
  toS: number;
}

/** The design and the number of breaks before a step. */
interface Condition {
  isFixed: boolean;
  breaks: number;
}

export class StageTimeline {
  /** Where the stage is, in run time. */
  playS = 0;
  readonly taken: TakenStep[] = [];
  readonly #story: StageStory;
  readonly #course: Course;
  /** A time without a transaction is no standstill if it is shorter. */
  readonly #shortS: number;
  /** The course's own line. */
  readonly #recorded: RateLine;
  #segments: Segment[];
  /** Number of steps taken as recorded, at the recorded times. */
  #asRecorded = 0;
  #isAnotherRun = false;

  /** `transactionS`: how long a transaction takes where it takes longest. */
  constructor(story: StageStory, course: Course, transactionS: number) {
    this.#story = story;
    this.#course = course;
    const { steps, duration_s } = story.course;
    this.#segments = [{ startS: 0, fromS: 0, toS: steps[0]?.at_s ?? duration_s }];
    this.#shortS = transactionsShortS(transactionS);
    this.#recorded = rateLine(course.history, this.#shortS);
  }

  /** Whether all steps so far are those of the recorded course, at its times. */
  get isAsRecorded(): boolean {
    return this.#asRecorded === this.taken.length && !this.#isAnotherRun;
  }

  /** Follows a run that the reader started elsewhere, which no recording precedes. */
  followAnotherRun(): void {
    this.#isAnotherRun = true;
    this.#segments = [{ startS: 0, fromS: 0, toS: 0 }];
  }

  /** Takes over the steps of the run, which the reader may have taken elsewhere, and its present moment. */
  adopt(steps: readonly TakenStep[], liveEndS: number): void {
    this.taken.push(...steps.slice(this.taken.length));
    this.playS = Math.max(this.playS, liveEndS);
  }

  /** End of the recorded part. */
  get recordedEndS(): number {
    const { startS, fromS, toS } = this.#segments.at(-1)!;
    return startS + toS - fromS;
  }

  get condition(): Condition {
    return conditionAfter(this.#story, this.taken);
  }

  canTake(step: StageStep): boolean {
    const { isFixed, breaks } = this.condition;
    if (step !== 'break') return isFixed !== (step === 'fixed');
    const { actions, actions_again } = this.#story.break;
    if (actions === undefined) return isFixed;
    return breaks === 0 || actions_again !== undefined;
  }

  /**
   * Takes a step now, and returns when it takes place. The step that the recorded course has next
   * takes place at its recorded time, unless the run is beyond it. Then the recording is the run.
   */
  take(step: StageStep, liveEndS: number): number {
    const { steps, duration_s } = this.#story.course;
    const next = steps[this.#asRecorded];
    const isNext =
      this.isAsRecorded && next?.step === step && this.playS <= next.at_s && liveEndS <= next.at_s;
    const recorded = isNext ? this.#asRecorded : this.#similarStep(step);
    const atS = isNext ? next.at_s : Math.max(this.playS, liveEndS);
    this.taken.push({ step, atS });
    if (isNext) this.#asRecorded += 1;
    this.playS = atS;
    if (recorded !== null) {
      const fromS = steps[recorded]!.at_s;
      this.#segments.push({ startS: atS, fromS, toS: steps[recorded + 1]?.at_s ?? duration_s });
    }
    return atS;
  }

  /** Moves the last step to where the engine has taken it. */
  moveLast(atS: number): void {
    const last = this.taken.at(-1)!;
    const segment = this.#segments.at(-1)!;
    if (segment.startS === last.atS) segment.startS = atS;
    last.atS = atS;
    this.playS = Math.max(this.playS, atS);
  }

  /** Returns the step of the course that is taken under the present condition; null if there is none. */
  #similarStep(step: StageStep): number | null {
    const { steps } = this.#story.course;
    const now = this.condition;
    const found = steps.findIndex((one, place) => {
      const then = conditionAfter(this.#story, steps.slice(0, place));
      return one.step === step && then.isFixed === now.isFixed && then.breaks === now.breaks;
    });
    return found === -1 ? null : found;
  }

  /** Advances by this much run time, but not beyond the recording and the run. */
  advance(byS: number, liveEndS: number): void {
    const limitS = Math.max(this.recordedEndS, liveEndS);
    this.playS = Math.max(this.playS, Math.min(this.playS + byS, limitS));
  }

  /** Returns the line up to the present moment: the run's, then the recording's. */
  points(live: HistoryRows): RatePoint[] {
    const liveEndS = Math.min(live.endS, this.playS);
    const points = pointsWithin(rateLine(live, this.#shortS), {
      ...{ fromS: BEFORE_START_S, toS: liveEndS, shiftS: 0, isRecorded: false },
    });
    const added = this.#segments.flatMap(({ startS, fromS, toS }, place) => {
      const nextS = this.#segments[place + 1]?.startS ?? this.playS;
      const isFirst = place === 0 && live.length === 0 && toS > fromS;
      const from = isFirst ? BEFORE_START_S : Math.max(startS, liveEndS);
      const to = Math.min(startS + toS - fromS, nextS, this.playS);
      const shiftS = startS - fromS;
      const part = { fromS: from - shiftS, toS: to - shiftS, shiftS, isRecorded: true };
      return to <= from ? [] : pointsWithin(this.#recorded, part);
    });
    return [...points, ...added];
  }

  /** Returns the rest of the recorded course, which is still to come. */
  pointsToCome(): RatePoint[] {
    if (!this.isAsRecorded) return [];
    const toS = this.#story.course.duration_s;
    return pointsWithin(this.#recorded, { fromS: this.playS, toS, shiftS: 0, isRecorded: true });
  }

  /** Returns the recorded picture at the present moment. */
  recordedPicture(): QueuePicture | null {
    const segment = this.#segments.findLast(({ startS }) => startS <= this.playS)!;
    const tS = Math.min(segment.toS, this.playS - segment.startS + segment.fromS);
    // At its beginning, a segment shows the step's effect.
    return this.#course.pictures.findLast((picture) => picture.tS <= tS) ?? null;
  }
}

function conditionAfter(
  { spec, break: broken }: StageStory,
  steps: readonly { step: StageStep }[],
): Condition {
  let isFixed = spec.design === 'fixed';
  let breaks = 0;
  for (const { step } of steps) {
    if (step === 'break') breaks += 1;
    if (step !== 'break') isFixed = step === 'fixed';
    else if (broken.actions === undefined) isFixed = false;
  }
  return { isFixed, breaks };
}

const BEFORE_START_S = -1;

interface LinePart {
  fromS: number;
  toS: number;
  shiftS: number;
  isRecorded: boolean;
}

/** Returns the points after `fromS`, up to `toS`, moved by `shiftS`. */
function pointsWithin({ tS, rates }: RateLine, { fromS, toS, shiftS, isRecorded }: LinePart): RatePoint[] {
  const points: RatePoint[] = [];
  for (let row = bisectRight(tS, fromS); row < tS.length && tS[row]! <= toS; row += 1) {
    const rate = rates[row]!;
    points.push({ tS: tS[row]! + shiftS, rate: Number.isNaN(rate) ? null : rate, isRecorded });
  }
  return points;
}
