// Runs the attacks of one area and reports the outcome.
import fc from 'fast-check';

/**
 * @typedef {object} Attack
 * @property {string} name the kind of input, such as "random run specs, run twice"
 * @property {number} inputs the default number of inputs
 * @property {import('fast-check').Arbitrary<any> | ((context: any) =>
 *   import('fast-check').Arbitrary<any>)} input generates the inputs
 * @property {(input: any, context: any) => unknown} withstands throws, or rejects, if the target does
 *   not withstand the input
 */

/**
 * @typedef {object} Area
 * @property {(use: (context: any) => Promise<void>) => Promise<void>} [withContext] prepares what
 *   its attacks share, such as a browser, calls `use` with it, and always cleans up
 * @property {Attack[]} attacks
 */

/**
 * @typedef {object} Outcome
 * @property {string} area
 * @property {string} attack
 * @property {number} inputs the number of inputs that were tried
 * @property {number} seconds
 * @property {boolean} was_cut_short whether time ran out before all inputs were tried
 * @property {string | null} failure the smallest input that failed, and why; null if all passed
 */

/**
 * @param {string} name
 * @param {Area} area
 * @param {{ seed: number, inputs?: number, minutes: number }} bounds
 * @returns {Promise<Outcome[]>}
 */
export async function attackArea(name, { withContext = (use) => use(undefined), attacks }, bounds) {
  const outcomes = [];
  await withContext(async (context) => {
    // The time to build the target does not count.
    const endsMs = Date.now() + bounds.minutes * 60_000;
    for (const [index, attack] of attacks.entries()) {
      const shareMs = Math.max(1, endsMs - Date.now()) / (attacks.length - index);
      const outcome = await carryOut(attack, context, { ...bounds, share_ms: shareMs });
      outcomes.push({ area: name, ...outcome });
      console.log(lineOf(outcome));
    }
  });
  return outcomes;
}

async function carryOut({ name, inputs, input, withstands }, context, { seed, inputs: wanted, share_ms }) {
  const beganMs = Date.now();
  const generated = typeof input === 'function' ? input(context) : input;
  const property = fc.asyncProperty(generated, async (each) => void (await withstands(each, context)));
  const details = await fc.check(property, {
    seed,
    numRuns: wanted ?? inputs,
    interruptAfterTimeLimit: share_ms,
    includeErrorInReport: true,
  });
  return {
    attack: name,
    inputs: details.numRuns,
    seconds: Math.round((Date.now() - beganMs) / 100) / 10,
    was_cut_short: details.interrupted,
    failure: await failureOf(details),
  };
}

// fast-check also reports a failure if time ran out before the first input.
async function failureOf(details) {
  if (details.counterexample !== null) return (await fc.asyncDefaultReportMessage(details)) ?? 'failed';
  return details.numRuns === 0 ? 'Time ran out before the first input. Allow more --minutes.' : null;
}

function lineOf({ attack, inputs, seconds, was_cut_short, failure }) {
  const tried = `${attack}: ${inputs} inputs in ${seconds} s${was_cut_short ? ', cut short by the time limit' : ''}`;
  return failure === null ? `ok   ${tried}` : `FAIL ${tried}\n${failure}`;
}

/** @param {Outcome[]} outcomes */
export function asTable(outcomes) {
  const rows = outcomes.map(({ area, attack, inputs, seconds, failure }) => [
    area,
    attack,
    String(inputs),
    String(seconds),
    failure === null ? 'held' : 'FAILED',
  ]);
  return ['area | attack | inputs | seconds | outcome', ...rows.map((row) => row.join(' | '))].join('\n');
}
