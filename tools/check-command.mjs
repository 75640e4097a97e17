// `latchscope check FILE`: executes the runs of a file of checks and judges its expectations
// (docs/guide/checks.md).
import { dirname, join } from 'node:path';

import { readArguments, usageError } from './command-line.mjs';
import { RefusedInput, runChecks } from './experiments.mjs';
import { EXIT, UsageError } from './processes.mjs';
import { isOutputFree, requestedReports, writeReports } from './report-files.mjs';
import { ensureNodeModules } from './setup/index.mjs';
import {
  compileWorkloadText,
  isWorkloadFile,
  sourceOf,
  whatCanBeRead,
  withCompiledWorkload,
  withRunSpecs,
} from './workload-file.mjs';

const CHECK_USAGE = `latchscope check FILE [--junit FILE] [--json FILE] [--github]
    FILE       expectations of runs and comparisons, as JSON, or - for standard input
    --junit    writes a JUnit XML report to this file, or - for standard output
    --json     writes the report as JSON, in the same way
    --github   also prints an annotation of GitHub Actions for each failed expectation
Exit code 0: all expectations hold; 1: one fails or is undecided; 2: bad usage or an invalid file; 3: the
engine failed; 4: a report cannot be written.
`;
const BAR_WIDTH = 30;
const START_OF_LINE = '\r\u001b[K';

const FORMATS = {
  '--junit': junitOf,
  '--json': (file, report) => `${JSON.stringify(report, null, 2)}\n`,
};

/**
 * @param {string[]} args
 * @param {(path: string) => Promise<{ text?: string, fileText?: string }>} read
 */
export async function checkCommand(args, read) {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(CHECK_USAGE);
    return;
  }
  const options = { junit: { type: 'string' }, json: { type: 'string' }, github: { type: 'boolean' } };
  const { values, positionals } = readArguments(args, options, { withPositionals: true });
  const [file, ...more] = positionals;
  if (file === undefined) throw usageError('check', file, 'a FILE, or - for standard input');
  if (more.length > 0) throw usageError('check', more[0], 'one FILE, and --junit, --json, --github');
  const reports = requestedReports(FORMATS, values);
  await ensureNodeModules();
  const source = await readSource(file, read);
  const report = await judged(source, read);
  if (isOutputFree(reports)) {
    process.stdout.write(inWords(report));
    if (values.github) process.stdout.write(annotations(source, report));
  }
  if (!report.holds) process.exitCode = EXIT.failed;
  await writeReports(reports, (format) => format(file, report));
}

/** A file of checks. `lineOf` returns the line of a field; 1 if it is missing. */
async function readSource(file, read) {
  const { text, fileText } = await read(file);
  const json = text ?? fileText;
  if (json === undefined) throw usageError('check', file, 'a readable JSON file of at most 1 MiB');
  const { findNodeAtLocation, getNodeValue, parseTree, printParseErrorCode } = await import('jsonc-parser');
  const errors = [];
  const tree = parseTree(json, errors, { disallowComments: true });
  const lineAt = (offset) => json.slice(0, offset).split('\n').length;
  const [error] = errors;
  if (error !== undefined || tree === undefined) {
    const reason = error === undefined ? 'it is empty' : printParseErrorCode(error.error);
    throw new UsageError(`${file}:${lineAt(error?.offset ?? 0)}: the file is not JSON: ${reason}`);
  }
  const lineOf = (field) => {
    const path = field.match(/[^.[\]]+/g)?.map((part) => (/^\d+$/.test(part) ? Number(part) : part)) ?? [];
    while (path.length > 0 && findNodeAtLocation(tree, path) === undefined) path.pop();
    return lineAt(findNodeAtLocation(tree, path)?.offset ?? 0);
  };
  return { file, document: getNodeValue(tree), lineOf };
}

/** Compiles the workload of a check: a text, or a file with a path relative to the file of checks. */
async function compiled({ scenario, ...spec }, field, { file, read }) {
  if (!isWorkloadFile(scenario) || spec.workload !== undefined)
    return withCompiledWorkload(scenario === undefined ? spec : { scenario, ...spec }, `${field}.workload`);
  const path = file === '-' ? scenario : join(dirname(file), scenario);
  const source = await sourceOf(path, read);
  if (source === undefined)
    throw new RefusedInput([{ field: `${field}.scenario`, value: path, allowed: whatCanBeRead(path) }]);
  return { scenario: 'workload', workload: await compileWorkloadText(source, path), ...spec };
}

async function judged({ file, document, lineOf }, read) {
  const progress = drawProgress(process.stderr);
  try {
    const whole = await withRunSpecs(document, (spec, field) => compiled(spec, field, { file, read }));
    return await runChecks(whole, { onProgress: progress.show });
  } catch (error) {
    if (!(error instanceof RefusedInput)) throw error;
    const lines = error.message.split('\n');
    const placed = error.faults.map(({ field }, place) => `${file}:${lineOf(field)}: ${lines[place]}`);
    throw new UsageError(placed.join('\n'));
  } finally {
    progress.clear();
  }
}

/**
 * Draws how much of a batch is done, on a terminal only.
 * @param {import('node:tty').WriteStream} stream such as standard error. Nothing is drawn unless it
 *   is a terminal.
 * @returns {{ show: (done: number) => void, clear: () => void }} `done`: from 0 to 1
 */
export function drawProgress(stream) {
  let shown = '';
  const draw = (text) => {
    if (!stream.isTTY || text === shown) return;
    shown = text;
    stream.write(START_OF_LINE + text);
  };
  return {
    show(done) {
      const filled = Math.floor(done * BAR_WIDTH);
      draw(`[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] ${Math.floor(done * 100)} %`);
    },
    clear: () => draw(''),
  };
}

const WORDS = { holds: 'holds    ', fails: 'FAILS    ', undecided: 'UNDECIDED' };

function inWords({ checks }) {
  const sections = checks.map(({ name, expectations, fault }) => {
    const lines = expectations.map(({ outcome, sentence }) => `  ${WORDS[outcome]}  ${sentence}`);
    return [name, ...(fault === undefined ? lines : [`  ${WORDS.fails}  ${fault}`])].join('\n');
  });
  const held = checks.filter(({ holds }) => holds).length;
  return `${sections.join('\n\n')}\n\n${held} of ${checks.length} checks hold.\n`;
}

/** Returns what does not hold, with the field that asks for it. */
const failuresOf = ({ checks }) =>
  checks.flatMap(({ name, expectations, fault }, place) => [
    ...(fault === undefined ? [] : [{ name, field: `checks[${place}]`, sentence: fault }]),
    ...expectations
      .filter(({ outcome }) => outcome !== 'holds')
      .map(({ figure, sentence }) => ({ name, field: `checks[${place}].expect.${figure}`, sentence })),
  ]);

/** Escapes text as GitHub’s workflow commands need it. */
const escaped = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapedProperty = (text) => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const annotations = ({ file, lineOf }, report) =>
  failuresOf(report)
    .map(({ name, field, sentence }) => {
      const place = `file=${escapedProperty(file)},line=${lineOf(field)},title=${escapedProperty(name)}`;
      return `::error ${place}::${escaped(sentence)}\n`;
    })
    .join('');

async function junitOf(file, { checks }) {
  const { junitXml } = await import('./junit.mjs');
  const tests = checks.flatMap(({ name: className, expectations, fault }) =>
    fault === undefined
      ? expectations.map(({ figure: name, outcome, sentence }) => ({
          name,
          className,
          ...(outcome === 'holds' ? { output: sentence } : { failure: sentence }),
        }))
      : [{ name: 'runs', className, error: fault }],
  );
  return junitXml({ name: file, tests });
}
