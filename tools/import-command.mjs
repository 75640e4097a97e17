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

const USAGE = `latchscope import FILE... [--json FILE]
    FILE     what a server's tools print: snapshots of events_waits_summary_global_by_event_name,
             SHOW ENGINE INNODB STATUS or MUTEX, sysbench logs, stacks; or - for standard input.
             Two snapshots give the time between them. Logs of four thread counts or more are
             fitted with the Universal Scalability Law.
    --json   writes the ranked latches as JSON to this file, or - for standard output
Exit code 0: read; 2: bad usage, or a text that is not recognized or broken.
`;

/** The rows of the table; the report in JSON has all. */
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
    { json: { type: 'string' } },
    { withPositionals: true },
  );
  if (positionals.length === 0) throw usageError('import', undefined, 'a FILE, or - for standard input');
  if (positionals.filter((file) => file === '-').length > 1)
    throw usageError('import', '- -', 'standard input once');
  const reports = requestedReports({ '--json': 'json' }, values);
  await ensureNodeModules();
  const { benchmarkPoints, importReport, SnapshotsRefused } = await imports();
  const texts = await readTexts(positionals);
  try {
    const report = importReport(texts);
    if (isOutputFree(reports)) process.stdout.write(inWords(report, benchmarkPoints(report.runs)));
    await writeReports(reports, () => `${JSON.stringify(report, null, 2)}\n`);
  } catch (error) {
    if (error instanceof SnapshotsRefused) throw new UsageError(error.message);
    throw error;
  }
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
  const { ImportRefused, isGzip, readProfile, TextImport } = await imports();
  const reading = new TextImport();
  const { stream, size } = opened(file);
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      if (bytes === 0 && isGzip(chunk)) {
        if (file === '-') throw usageError('import', file, 'the name of a compressed profile, not its bytes');
        return { source: basename(file), ...(await readProfile(wholeFile(file, size))) };
      }
      reading.write(chunk);
      bytes += chunk.length;
      if (size > 0) onProgress(Math.min(1, bytes / size));
    }
    return { source: file === '-' ? 'standard input' : basename(file), ...reading.end() };
  } catch (error) {
    if (error instanceof ImportRefused) throw new UsageError(`${file}: ${error.message}`);
    if (error.syscall !== undefined) throw new UsageError(`${file}: it cannot be read: ${error.message}`);
    throw error;
  }
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

function inWords({ files, basis, interval_s: intervalS, statements, latches, apart, usl }, points) {
  const lines = [
    ...files.map(({ name, title }) => `${name}: ${title}`),
    '',
    basis === null
      ? 'The texts name no latches.'
      : `Share of ${basis}${intervalS === null ? '' : ` (${intervalS} s)`}:`,
    ...(latches.length === 0 ? [] : ['', ...table(latches, statements !== null)]),
  ];
  if (latches.length > ROWS_MAX) lines.push(`  and ${latches.length - ROWS_MAX} more (--json has all)`);
  if (apart.length > 0)
    lines.push('', 'Not counted:', ...apart.map(({ event, reason }) => `  ${event}: ${reason}`));
  if (points.length > 0)
    lines.push('', 'Throughput by threads:', '', ...curveTable(points), '', lawInWords(usl, points));
  return `${lines.join('\n')}\n`;
}

function table(latches, hasStatements) {
  const rows = latches
    .slice(0, ROWS_MAX)
    .map((latch) => [
      `${(latch.share * 100).toFixed(1)} %`,
      latch.name,
      latch.mean_wait_us === null ? '' : `${latch.mean_wait_us.toFixed(2)} us`,
      !hasStatements || latch.per_statement === null ? '' : `${latch.per_statement.toFixed(2)} per statement`,
      latch.matched === null ? '' : whatItIs(latch.matched),
    ]);
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    `  ${row[0].padStart(widths[0])}  ${row[1].padEnd(widths[1])}  ${row[2].padStart(widths[2])}  ${row[3].padStart(widths[3])}  ${row[4]}`.trimEnd(),
  );
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

function whatItIs({ name, bugs: [bug] }) {
  if (bug === undefined) return name;
  return `${name}, ${bug.role === 'cause' ? 'the cause' : 'on the path'} of ${bug.scenario}`;
}
