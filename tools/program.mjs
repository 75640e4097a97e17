// Runs the main function of every program of tools/ and maps errors to messages and exit codes.
// CONTRIBUTING.md lists the exit codes.
import { endEarly, endOnSignals, endWithNpm, hasBeenTold } from './interruption.mjs';
import { EXIT, OutputRefused, UsageError } from './processes.mjs';
import { ScenarioError } from './scenario-files.mjs';
import { NotWritable, SetupError } from './setup/progress.mjs';

/** System errors of failed writes, in words. */
const CANNOT_WRITE = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is exhausted',
  EIO: 'the device reported an error',
  ENOSPC: 'no space left',
  ENOTDIR: 'a file is in the place of a folder',
  ENXIO: 'no program reads this pipe',
  EPERM: 'not allowed',
  EROFS: 'the file system is read-only',
};

/**
 * @param {() => Promise<{ main: (args: string[]) => Promise<void> }>} load
 * @param {number} [failed] the exit code of failures other than bad usage and failed writes
 * @param {string[]} [args] its arguments
 */
export async function runProgram(load, failed = EXIT.failed, args = process.argv.slice(2)) {
  const fail = (error) => endAfter(error, failed);
  guardOutputs();
  endOnSignals();
  endWithNpm();
  process.on('uncaughtException', fail);
  try {
    const { main } = await load();
    await main(args);
  } catch (error) {
    fail(error);
  }
}

function endAfter(error, failed) {
  if (hasBeenTold()) return;
  const { text, exitCode } = describeFailure(error);
  process.stderr.write(`${text}\n`);
  void endEarly(exitCode === EXIT.failed ? failed : exitCode);
}

/**
 * @param {any} error
 * @returns {{ text: string, exitCode: number }}
 */
export function describeFailure(error) {
  if (error instanceof OutputRefused) return { text: error.message, exitCode: EXIT.cannotWrite };
  if (error instanceof UsageError || error instanceof ScenarioError)
    return { text: error.message, exitCode: EXIT.badUsage };
  if (error instanceof SetupError) {
    const remedy = error.remedy ? `\n\nWhat to do: ${error.remedy}` : '';
    const exitCode = error instanceof NotWritable ? EXIT.cannotWrite : EXIT.failed;
    return { text: `\nSet-up failed: ${error.message}${remedy}`, exitCode };
  }
  if (error?.path !== undefined && Object.hasOwn(CANNOT_WRITE, error.code)) {
    const reason = `${CANNOT_WRITE[error.code]} (${error.code})`;
    return {
      text: `${error.dest ?? error.path} cannot be written: ${reason}. Use a checkout and a cache folder that you can write to.`,
      exitCode: EXIT.cannotWrite,
    };
  }
  if (error?.code === 'EMFILE' || error?.code === 'ENFILE')
    return {
      text: `\nFailed: ${error.message}. Raise the limit, for example: ulimit -n 1024`,
      exitCode: EXIT.failed,
    };
  return { text: `\nFailed: ${error instanceof Error ? error.message : error}`, exitCode: EXIT.failed };
}

/**
 * Node reports lost output only to a listener. Standard error carries no result, so losing it
 * changes nothing.
 */
function guardOutputs() {
  process.stdout.on('error', outputLost);
  process.stderr.on('error', () => {});
}

function outputLost(error) {
  if (hasBeenTold()) return;
  const reason = CANNOT_WRITE[error.code] ?? (error.code === 'EPIPE' ? 'its reader is gone' : error.message);
  process.stderr.write(`Standard output cannot be written: ${reason} (${error.code}).\n`);
  void endEarly(EXIT.cannotWrite);
}
