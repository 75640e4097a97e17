/** A failure the reader can act on: what went wrong, and what to do about it. */
export class SetupError extends Error {
  /**
   * @param {string} message what went wrong
   * @param {string} [remedy] what the reader can do
   */
  constructor(message, remedy = '') {
    super(message);
    this.name = 'SetupError';
    this.remedy = remedy;
  }
}

/**
 * Prints one line of progress. Standard output belongs to the commands that use the set-up.
 * @param {string} text
 */
export function say(text) {
  process.stderr.write(`[setup] ${text}\n`);
}

/**
 * Runs one slow step between two lines of progress.
 * @template T
 * @param {string} title
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
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

/**
 * Ends the process with the error and, where there is one, its remedy.
 * @param {unknown} error
 * @returns {never}
 */
export function reportAndExit(error) {
  if (error instanceof SetupError) {
    process.stderr.write(`\nSet-up failed: ${error.message}\n`);
    if (error.remedy) process.stderr.write(`\nWhat to do: ${error.remedy}\n`);
  } else {
    process.stderr.write(`\nSet-up failed unexpectedly: ${error instanceof Error ? error.message : error}\n`);
  }
  process.exit(1);
}
