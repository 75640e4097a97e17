// What npm run test:long runs besides npm test, and when it was last green: a line in CONTRIBUTING.md that
// the command updates.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { writeFormatted } from '../files.mjs';
import { commandOutput, repository } from '../processes.mjs';

const DOCUMENT = join(repository, 'CONTRIBUTING.md');
const LINE = /(<!-- long run -->\n\n)(.*)(\n\n<!-- end of long run -->)/;

/** The list as CONTRIBUTING.md has it. */
export const heldByLongRun = [
  'the lessons of #95491, #99638, #104615 and #117533, to their end, and the remote that leads through one;',
  'the pictures of #95491, #99638, #104615 and #117533, drawn from runs that their sliders start;',
  'offline on hosts of five more kinds, and files lost on two more;',
  'a worker of the virtual server that is killed, and one that hangs: half a minute each until the page knows;',
  'all browser tests in Firefox that Playwright can drive there;',
  'two minutes of random work under the thread sanitizer, instead of eight seconds;',
  'the default comparison of each bug, instead of that of #69276 alone: each tells which design is faster;',
  'each latch and hand-made protocol of the server under 500,000 schedules, instead of 20,000;',
  'each right latch of the lab under a million schedules, and 100,000 programs that were changed at random;',
  'the tests of the engine without a sanitizer, and each of its files compiled by itself;',
  'every run that evidence rests on, also where nothing has changed since they were stored.',
];

/** @param {string} document the text of CONTRIBUTING.md */
export function lastGreenIn(document) {
  const line = LINE.exec(document)?.[2];
  if (line === undefined)
    throw new Error('CONTRIBUTING.md has no line that says when npm run test:long was last green.');
  return line;
}

/**
 * @param {string} document
 * @param {{ date: string, commit: string, seconds: number }} run
 */
export const withLastGreen = (document, { date, commit, seconds }) =>
  document.replace(
    LINE,
    (_, before, _line, after) =>
      `${before}Last green: ${date}, commit ${commit}, ${Math.round(seconds).toLocaleString('en')} seconds.${after}`,
  );

export const lastGreen = () => lastGreenIn(readFileSync(DOCUMENT, 'utf8'));

/**
 * Records a green run of all checks. A run with uncommitted changes is not recorded, since nobody could tell what it tested.
 * @param {number} seconds that it took
 * @returns {Promise<string>} a message for the reader
 */
export async function recordLastGreen(seconds) {
  const changed = await commandOutput('git', ['status', '--porcelain']);
  if (changed !== '')
    return 'Not written down as the last green one: there are changes that no commit holds.';
  const commit = (await commandOutput('git', ['rev-parse', '--short=10', 'HEAD'])).trim();
  const date = new Date().toISOString().slice(0, 10);
  await writeFormatted(DOCUMENT, withLastGreen(readFileSync(DOCUMENT, 'utf8'), { date, commit, seconds }));
  return `CONTRIBUTING.md says so now: ${lastGreen()}`;
}
