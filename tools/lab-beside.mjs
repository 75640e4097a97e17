// @ts-check
// `latchscope lab bench FILE --beside LATCH,...`: runs the same contests for latches of
// lab/latches, and prints their figures beside those of the file.
import { engineProgram } from './engine-program.mjs';
import { findOption, requireNames, usageError } from './command-line.mjs';
import { requireWritable, writeJson } from './files.mjs';
import { runProgram } from './lab-contests.mjs';
import { readLatches, sourceOfLatch } from './lab-latches.mjs';
import { labLanguage } from './lab-language.mjs';
import { EXIT } from './processes.mjs';

const YOURS = 'yours';

/** @typedef {{ latch: string, contests: any[] }} Measured */

/**
 * Returns one figure of a contest, or null if the contest did not observe it.
 * @type {Record<string, (contest: any) => number | null>}
 */
const figures = {
  'acquisitions per second': (contest) => contest.acquisitions_per_s,
  'hand-off, ns': (contest) => contest.hand_over_ns,
  'cache-line transfers per acquisition': (contest) => contest.line_transfers_per_acquisition,
  'longest wait, ns': (contest) => contest.wait_ns.max,
  'in order, %': (contest) => contest.in_order_percent,
};

/**
 * @param {import('../web/contract/latch-program').LabProgram} program the compiled file
 * @param {string[]} args --beside, --json, and options of the native program
 */
export async function benchBeside(program, args) {
  const latches = (await readLatches()).filter(({ verdict }) => verdict !== 'wrong');
  const { value: names, rest } = taken(args, '--beside');
  const beside = requireNames(
    '--beside',
    (names ?? '').split(','),
    latches.map(({ latch }) => latch),
  );
  const { value: target, rest: options } = taken(rest, '--json');
  if (target !== undefined && target !== '-') requireWritable('--json', target);
  const { compile } = await labLanguage();
  const engine = await engineProgram();
  const own = await runProgram(engine, YOURS, program, options);
  const measured = [{ latch: YOURS, contests: own.contests }];
  for (const latch of beside) {
    const { contests } = await runProgram(engine, latch, compile(sourceOfLatch(latch)).program, options);
    measured.push({ latch, contests });
  }
  if (target !== '-') console.log(tables(own.server, measured));
  const unsound = own.contests.filter((/** @type {any} */ { verdict }) => verdict !== 'sound');
  for (const { threads, sentence } of unsound) console.log(`With ${threads} threads: ${sentence}`);
  if (unsound.length > 0) process.exitCode = EXIT.failed;
  writeJson(target, {
    ...own,
    beside: Object.fromEntries(measured.slice(1).map(({ latch, contests }) => [latch, contests])),
  });
}

/**
 * Removes an option and its value from the arguments.
 * @param {string[]} args
 * @param {string} name
 * @returns {{ value?: string | undefined, rest: string[] }}
 */
function taken(args, name) {
  const found = findOption(args, name);
  if (found && !found.value) throw usageError(name, found.value, 'a value');
  return found ?? { rest: args };
}

/** @param {string} server @param {Measured[]} measured */
function tables(server, measured) {
  const counts = measured[0]?.contests.map(({ threads }) => threads) ?? [];
  const row = (/** @type {string} */ name, /** @type {(string | number)[]} */ cells) =>
    `${name.padEnd(24)}${cells.map((cell) => `${cell}`.padStart(11)).join('')}`;
  const parts = Object.entries(figures).map(([title, figureOf]) =>
    [
      row(title.slice(0, 60), []),
      row('  threads', counts),
      ...measured.map(({ latch, contests }) =>
        row(
          `  ${latch}`,
          contests.map((one) => cell(figureOf(one))),
        ),
      ),
    ].join('\n'),
  );
  return [`On ${server}:`, ...parts].join('\n\n');
}

/** @param {number | null} figure */
function cell(figure) {
  if (figure === null) return '-';
  return figure >= 100 ? `${Math.round(figure)}` : figure.toFixed(2);
}
