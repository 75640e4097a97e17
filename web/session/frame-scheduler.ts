// One larger work per animation frame, so that no frame takes long.

const due = new Set<() => void>();
let frame = 0;
/** The frame that has had its work, as all callbacks of one frame are told the time. */
let taken_at_ms = Number.NaN;

/** Runs `work` once in one of the next animation frames, however often it is scheduled. */
export function scheduleInFrame(work: () => void): void {
  due.add(work);
  if (frame === 0) frame = requestAnimationFrame(runNext);
}

export function unschedule(work: () => void): void {
  due.delete(work);
}

/** The caller does its own work in this frame: what is scheduled waits for the next one. */
export function takeFrame(now_ms: number): void {
  taken_at_ms = now_ms;
}

function runNext(now_ms: number): void {
  const [work] = now_ms === taken_at_ms ? [] : due;
  if (work !== undefined) due.delete(work);
  frame = due.size === 0 ? 0 : requestAnimationFrame(runNext);
  work?.();
}
