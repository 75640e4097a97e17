// The checks that npm run test:long adds to npm test, and when they last passed in this checkout.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { commandOutput, repository } from '../processes.mjs';

/** Git ignores this file: a run says something about one commit, which cannot contain it. */
const RECORD = '.last-long-run';

export const addedByLongRun = [
  'the lessons of #95491, #99638, #104615 and #117533 to their end, and the remote control of a lesson',
  'the lock pictures of #95491, #99638, #104615 and #117533, drawn from runs that their sliders start',
  'offline use on five more kinds of hosts, and lost files on two more',
  'a killed worker and a hanging worker of the virtual server, half a minute each',
  'all browser tests in Firefox that Playwright can drive there',
  'two minutes of random work under the thread sanitizer instead of eight seconds',
  'the default comparison of every bug instead of #69276 alone',
  '500,000 schedules for each latch and protocol of the server instead of 20,000',
  'a million schedules for each correct latch of the lab, and 100,000 randomly mutated programs',
  '100,000 randomly mutated workload files, and 500 generated ones, natively and in WebAssembly',
  '100 generated workload files in each browser',
  'the engine tests without a sanitizer, and each file of the engine compiled on its own',
  'every run that the evidence rests on, also if no input has changed',
];

/**
 * @param {string} [root] of a checkout
 * @returns {string} when the long run last passed there
 */
export function lastGreen(root = repository) {
  const path = join(root, RECORD);
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : 'no green run in this checkout yet';
}

/**
 * Records a green run of all checks, unless there are uncommitted changes: no commit could be named
 * for them.
 * @param {number} seconds the run's duration
 * @returns {Promise<string>} a message for the reader
 */
export async function recordLastGreen(seconds) {
  if ((await commandOutput('git', ['status', '--porcelain'])) !== '')
    return 'Not recorded as the last green run: there are uncommitted changes.';
  const commit = (await commandOutput('git', ['rev-parse', '--short=10', 'HEAD'])).trim();
  return store(repository, { date: new Date().toISOString().slice(0, 10), commit, seconds });
}

/**
 * @param {string} root of the checkout
 * @param {{ date: string, commit: string, seconds: number }} run
 * @returns {string} a message for the reader
 */
export function store(root, { date, commit, seconds }) {
  const line = `last green on ${date}, commit ${commit}, ${Math.round(seconds).toLocaleString('en')} s`;
  writeFileSync(join(root, RECORD), `${line}\n`);
  return `npm run test:long: ${line}`;
}
