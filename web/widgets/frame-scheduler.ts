const due = new Set<() => void>();
let frame = 0;

/**
 * Runs `work` once in one of the next animation frames, however often it is scheduled. Each frame does one work only, so
 * that no frame takes long.
 */
export function scheduleInFrame(work: () => void): void {
  due.add(work);
  if (frame === 0) frame = requestAnimationFrame(runNext);
}

export function unschedule(work: () => void): void {
  due.delete(work);
}

function runNext(): void {
  const [work] = due;
  if (work !== undefined) due.delete(work);
  frame = due.size === 0 ? 0 : requestAnimationFrame(runNext);
  work?.();
}
