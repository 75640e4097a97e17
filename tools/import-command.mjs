// `latchscope import FILE…`: names the latches on which a server waits, from what people have of it
// (docs/guide/your-waits.md).
import { createReadStream, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { drawProgress } from './check-command.mjs';
import { readArguments, usageError } from './command-line.mjs';
import { moduleOfPage } from './page-module.mjs';
import { UsageError } from './processes.mjs';
import { isOutputFree, requestedReports, writeReports } from './report-files.mjs';
import { ensureNodeModules } from './setup/index.mjs';

const USAGE = `latchscope import FILE... [--seconds N] [--json FILE]
    FILE       what a server's tools print: snapshots of events_waits_summary_global_by_event_name,
               SHOW ENGINE INNODB STATUS or MUTEX, sysbench logs, stacks; or - for standard input.
               Two snapshots give the time between them. Logs of four thread counts or more are
               fitted with the Universal Scalability Law. Run results and measured files of
               Latchscope are read, too.
    --seconds  how long klockstat or ulockstat ran: their tables do not say it
    --json     writes the ranked latches as JSON to this file, or - for standard output
Exit code 0: read; 2: bad usage, or a text that is not recognized or broken.
`;

/** The rows of each table; the report in JSON has all. */
const ROWS_MAX = 20;

const imports = moduleOfPage('web/analysis/imports/for-tools.ts', { withScenarios: true });

/** @param {string[]} args */
export async function importCommand(args) {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE);
    return;
  }
  const { values, positionals } = readArguments(
    args,
    { json: { type: 'string' }, seconds: { type: 'string' } },
    { withPositionals: true },
  );
  if (positionals.length === 0) throw usageError('import', undefined, 'a FILE, or - for standard input');
  if (positionals.filter((file) => file === '-').length > 1)
    throw usageError('import', '- -', 'standard input once');
  const reports = requestedReports({ '--json': 'json' }, values);
  const probedS = values.seconds === undefined ? null : secondsOf(values.seconds);
  await ensureNodeModules();
  const { benchmarkPoints, importReport, SnapshotsRefused } = await imports();
  const texts = await readTexts(positionals);
  try {
    const report = importReport(texts, { probedS });
    if (isOutputFree(reports))
      process.stdout.write(inWords(report, benchmarkPoints(report.runs), await imports()));
    await writeReports(reports, () => `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    if (error instanceof SnapshotsRefused) throw new UsageError(error.message);
    throw error;
  }
}

/** Longer than a probe is left running. */
const SECONDS_MAX = 1e6;

function secondsOf(text) {
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : 0;
  if (seconds > 0 && seconds <= SECONDS_MAX) return seconds;
  throw usageError('import', `--seconds ${text}`, `a number of seconds up to ${SECONDS_MAX}, such as 10`);
}

async function readTexts(files) {
  const progress = drawProgress(process.stderr);
  const texts = [];
  try {
    for (const file of files) texts.push(await readText(file, progress.show));
  } finally {
    progress.clear();
  }
  return texts;
}

async function readText(file, onProgress) {
  const { beginsAsOwnFile, ImportRefused, isGzip, OwnFileRefused, readProfile, TextImport } = await imports();
  const reading = new TextImport();
  const { stream, size } = opened(file);
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      if (bytes === 0 && isGzip(chunk)) {
        if (file === '-') throw usageError('import', file, 'the name of a compressed profile, not its bytes');
        return { source: basename(file), ...(await readProfile(wholeFile(file, size))) };
      }
      if (bytes === 0 && beginsAsOwnFile(chunk.toString('utf8', 0, BEGINNING_BYTES)))
        return await readOwn(file, chunk, stream);
      reading.write(chunk);
      bytes += chunk.length;
      if (size > 0) onProgress(Math.min(1, bytes / size));
    }
    return { source: sourceOf(file), ...reading.end() };
  } catch (error) {
    if (error instanceof ImportRefused || error instanceof OwnFileRefused)
      throw new UsageError(`${file}: ${error.message}`);
    if (error.syscall !== undefined) throw new UsageError(`${file}: it cannot be read: ${error.message}`);
    throw error;
  }
}

/** Enough for the blanks before the first bracket. */
const BEGINNING_BYTES = 100;

const sourceOf = (file) => (file === '-' ? 'standard input' : basename(file));

async function readOwn(file, first, rest) {
  const { readOwnFile, requireOwnSize } = await imports();
  const chunks = [first];
  let bytes = first.length;
  for await (const chunk of rest) {
    chunks.push(chunk);
    bytes += chunk.length;
    requireOwnSize(bytes);
  }
  return { source: sourceOf(file), ...readOwnFile(Buffer.concat(chunks).toString('utf8')) };
}

const wholeFile = (file, size) => ({
  size,
  arrayBuffer: async () => new Uint8Array(await readFile(file)).buffer,
});

function opened(file) {
  if (file === '-') return { stream: process.stdin, size: 0 };
  try {
    return { stream: createReadStream(file), size: statSync(file).size };
  } catch (error) {
    throw usageError('import', file, `a file that can be read (${error.message})`);
  }
}

function inWords(report, points, words) {
  const { files, basis, interval_s: intervalS, server, latches, apart, usl } = report;
  const lines = [
    ...files.map(({ name, title }) => `${name}: ${title}`),
    ...(server === null ? [] : [`Server: ${serverInWords(server, words)}`]),
    '',
    basis === null
      ? 'The texts name no latches.'
      : `Share of ${basis}${intervalS === null ? '' : ` (${intervalS} s)`}:`,
    ...(latches.length === 0 ? [] : ['', ...table(report, words)]),
  ];
  if (latches.length > ROWS_MAX) lines.push(`  and ${latches.length - ROWS_MAX} more (--json has all)`);
  if (apart.length > 0)
    lines.push(
      '',
      'Not counted:',
      ...apart.slice(0, ROWS_MAX).map(({ event, reason }) => `  ${event}: ${reason}`),
      ...(apart.length > ROWS_MAX ? [`  and ${apart.length - ROWS_MAX} more (--json has all)`] : []),
    );
  if (points.length > 0)
    lines.push('', 'Throughput by threads:', '', ...curveTable(points), '', lawInWords(usl, points));
  return `${lines.join('\n')}\n`;
}

const serverInWords = ({ server, version }, { serverTitles }) =>
  version === null ? serverTitles[server] : `${serverTitles[server]} ${version}`;

/** Below a latch stand its hold, and its main bug with the versions that have it. */
function table({ latches, statements, server }, words) {
  const shown = latches.slice(0, ROWS_MAX);
  const rows = shown.map((latch) => [
    `${(latch.share * 100).toFixed(1)} %`,
    latch.name,
    latch.mean_wait_us === null ? '' : words.formatDurationNs(latch.mean_wait_us * 1000),
    statements === null || latch.per_statement === null
      ? ''
      : `${latch.per_statement.toFixed(2)} per statement`,
    whatItIs(latch.matched),
  ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column].length)));
  const indent = ' '.repeat(widths[0] + 4);
  return rows.flatMap((row, index) => {
    const { hold, matched } = shown[index];
    const line = `  ${row[0].padStart(widths[0])}  ${row[1].padEnd(widths[1])}  ${row[2].padStart(widths[2])}  ${row[3].padStart(widths[3])}  ${row[4]}`;
    return [
      line.trimEnd(),
      ...(hold === null ? [] : [`${indent}${holdInWords(hold, words)}`]),
      ...(matched?.bugs ?? []).slice(0, 1).map((bug) => `${indent}${bugInWords(bug, server, words)}`),
    ];
  });
}

/** @param {import('../web/analysis/imports/benchmark-curve.ts').BenchmarkPoint[]} points */
function curveTable(points) {
  const rows = points.map(({ threads, tps, meanTps, p95Ms }) => [
    `${threads}`,
    `${tps.length}`,
    meanTps.toFixed(1),
    p95Ms.length === 0 ? '' : mean(p95Ms).toFixed(2),
  ]);
  const all = [['threads', 'runs', 'tps', 'p95 ms'], ...rows];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all.map((row) => `  ${row.map((cell, i) => cell.padStart(widths[i])).join('  ')}`.trimEnd());
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

function lawInWords(usl, points) {
  if (!usl.ok) return `Universal Scalability Law: no fit: ${usl.reason}`;
  const { sigma, kappa, peak } = usl.fit;
  const most = points.at(-1).threads;
  const withInterval = ({ value, interval: [low, high] }) =>
    `${digits(value)} (${digits(low)} to ${digits(high)})`;
  const end =
    peak === null
      ? 'without a peak'
      : peak.threads > most
        ? `peak at ${Math.round(peak.threads)} threads, beyond the measured ones`
        : `peak at ${Math.round(peak.threads)} threads, ${Math.round(peak.throughput)} tps`;
  return `Universal Scalability Law: sigma ${withInterval(sigma)}, kappa ${withInterval(kappa)}, ${end}`;
}

const digits = (value) => Number(value.toPrecision(3)).toString();

const whatItIs = (matched) =>
  matched === null ? '' : `${matched.name}${matched.bugs.length === 0 ? ', not modeled' : ''}`;

function bugInWords(bug, server, { versionsInWords, versionVerdict }) {
  const verdict = versionVerdict(bug, server);
  const role = bug.role === 'cause' ? 'the cause' : 'on the path';
  return `${role} of ${bug.scenario}: ${versionsInWords(bug)}${verdict === null ? '' : `. ${verdict}`}`;
}

function holdInWords(hold, { formatDurationNs, formatFigure, formatShare }) {
  const parts = [`held for ${formatDurationNs(hold.mean_hold_us * 1000)} on average`];
  if (hold.utilization !== null) parts.push(`${formatShare(hold.utilization)} of the time`);
  if (hold.max_acquisitions_per_s !== null)
    parts.push(`at most ${formatFigure(hold.max_acquisitions_per_s)} acquisitions/s`);
  if (hold.max_transactions_per_s !== null)
    parts.push(`at most ${formatFigure(hold.max_transactions_per_s)} transactions/s`);
  return `${parts.join(', ')}${hold.remark === null ? '' : ` (${hold.remark})`}`;
}
