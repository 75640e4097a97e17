// Runs at most one larger piece of work per animation frame, so that no frame takes long.
import { guarded } from '../recording/listeners';

type Look = (nowMs: number) => void;

/** Functions that sample a run, and may take the frame for that. */
const looks = new Set<Look>();
/** Functions that process the engine's messages, before anything is drawn. */
const messages = new Set<() => void>();
const due = new Set<() => void>();
/** Work that follows the reader's pointer. */
const forHand = new Set<() => void>();
let frame = 0;
let wasForHand = false;
let isTaken = false;
let takenInARow = 0;
const TAKEN_IN_A_ROW_MAX = 2;

/** Runs `work` once in one of the next animation frames, however often it is scheduled. */
export function scheduleInFrame(work: () => void): void {
  due.add(work);
  askForFrame();
}

/** Runs `look` in the next animation frame before all other work, with the time of that frame. */
export function scheduleSample(look: Look): void {
  looks.add(look);
  askForFrame();
}

/** Runs `work` in the next animation frame, whatever else is due. It takes that frame. */
export function scheduleMessage(work: () => void): void {
  messages.add(work);
  askForFrame();
}

/** Runs `work` like `scheduleInFrame`, but before other due work. */
export function scheduleNext(work: () => void): void {
  const others = [...due].filter((other) => other !== work);
  due.clear();
  for (const next of [work, ...others]) due.add(next);
  askForFrame();
}

/**
 * Runs `work` like `scheduleInFrame`, but before all other work. All work that follows the pointer
 * shares a frame. While other work is due, it does not get two frames in a row.
 */
export function scheduleForHand(work: () => void): void {
  forHand.add(work);
  askForFrame();
}

export function unschedule(work: () => void): void {
  due.delete(work);
  forHand.delete(work);
}

/**
 * Takes this frame for the caller's own work. Scheduled work waits for the next frame, but not for
 * long.
 */
export function takeFrame(): void {
  isTaken = true;
}

/** Discards all scheduled work, for a page that is gone. */
export function unscheduleAll(): void {
  for (const scheduled of [looks, messages, due, forHand]) scheduled.clear();
  cancelAnimationFrame(frame);
  frame = 0;
}

function askForFrame(): void {
  if (frame === 0) frame = requestAnimationFrame(runNext);
}

function runNext(nowMs: number): void {
  // From here on, newly scheduled work is for the next frame.
  frame = 0;
  for (const look of takeAll(looks)) guarded(look)(nowMs);
  if (messages.size > 0) isTaken = true;
  doAll(takeAll(messages));
  takenInARow = isTaken ? takenInARow + 1 : 0;
  isTaken = false;
  const works = takenInARow > 0 && takenInARow <= TAKEN_IN_A_ROW_MAX ? [] : takeNext();
  if (due.size + forHand.size > 0) askForFrame();
  doAll(works);
}

function takeAll<Work>(works: Set<Work>): readonly Work[] {
  const taken = [...works];
  works.clear();
  return taken;
}

/** Runs all work, even if some of it throws. */
function doAll(works: readonly (() => void)[]): void {
  for (const work of works) guarded(work)();
}

function takeNext(): readonly (() => void)[] {
  wasForHand = forHand.size > 0 && !(wasForHand && due.size > 0);
  if (wasForHand) return takeAll(forHand);
  const [work] = due;
  if (work === undefined) return [];
  due.delete(work);
  return [work];
}
