/** An error that the user can act on: what went wrong, and what to do about it. */
export class SetupError extends Error {
  constructor(message, remedy = '') {
    super(message);
    this.name = 'SetupError';
    this.remedy = remedy;
  }
}

/** Thrown when a folder that the set-up needs is not writable. */
export class NotWritable extends SetupError {}

/**
 * Thrown when a way to obtain something does not apply here. The set-up then tries the next way.
 */
export class NotHere extends Error {}

/**
 * Prints a line of progress to standard error. Standard output belongs to the commands that use the
 * set-up.
 */
export function say(text) {
  process.stderr.write(`[setup] ${text}\n`);
}

/** Runs a slow step between two lines of progress, and returns its result. */
export async function step(title, work) {
  say(`${title} ...`);
  const startedAtMs = Date.now();
  const elapsed = () => `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`;
  try {
    const result = await work();
    say(`... done in ${elapsed()}`);
    return result;
  } catch (error) {
    say(`... failed after ${elapsed()}`);
    throw error;
  }
}
