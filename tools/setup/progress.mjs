/** An error that the reader can act on: what went wrong, and what to do about it. */
export class SetupError extends Error {
  constructor(message, remedy = '') {
    super(message);
    this.name = 'SetupError';
    this.remedy = remedy;
  }
}

/** A folder that the set-up needs cannot be written to. */
export class NotWritable extends SetupError {}

/** Thrown when a way of getting something does not apply here. The next way is tried. */
export class NotHere extends Error {}

/**
 * Prints one line of progress to standard error. Standard output belongs to the commands that use the set-up.
 */
export function say(text) {
  process.stderr.write(`[setup] ${text}\n`);
}

/** Runs one slow step between two lines of progress, and returns its result. */
export async function step(title, work) {
  say(`${title} ...`);
  const startedAt_ms = Date.now();
  const elapsed = () => `${((Date.now() - startedAt_ms) / 1000).toFixed(1)} s`;
  try {
    const result = await work();
    say(`... done in ${elapsed()}`);
    return result;
  } catch (error) {
    say(`... failed after ${elapsed()}`);
    throw error;
  }
}
