// Checks that the engine computes each figure once. Runs the modeled server in the page's own
// module, and compares the shown, exported and reopened figures with the engine's, byte for byte.
import { readFileSync } from 'node:fs';

import { beforeAll, expect, test } from 'vitest';

import { largestNs, percentilesNs } from '../analysis/histogram';
import { histogram as shape } from '../contract/gen/telemetry-layout';
import type { RunInterval, RunResult } from '../contract/run-result';
import { framesAsTasks } from '../engine-client/test-fixtures/frames-as-tasks';
import type { Session } from '../session/session';
import { sessionInNode } from '../session/test-fixtures/session-in-node';
import { exportFormats } from '../features/files/export-formats';
import { exportRun } from '../features/files/exports';

/** Output of the command line for this spec. A test of the command line compares the two. */
const { spec, output } = JSON.parse(
  readFileSync(new URL('../../scenarios/sysbench-output.json', import.meta.url), 'utf8'),
) as { spec: object; output: string[] };
const printedByCommandLine = output.join('\n');

async function sysbenchExport(session: Session): Promise<string> {
  const format = exportFormats.find(({ id }) => id === 'sysbench')!;
  return (await exportRun(session, format)).content.text();
}

framesAsTasks();

let session: Session;
let result: RunResult;
/** As published during the run. */
let published: readonly RunInterval[] = [];
beforeAll(async () => {
  session = sessionInNode();
  session.store.subscribe(({ result: ofRun, intervals }) => {
    if (ofRun === null) published = intervals;
  });
  result = await session.run({ version: 1, ...spec });
});

test('the export of a run is what the command line prints, byte by byte', async () => {
  expect(await sysbenchExport(session)).toBe(printedByCommandLine);
});

test('the export of its reopened file is the same', async () => {
  const another = sessionInNode();
  await another.files.openResult(session.store.getState().resultJson!);
  expect(await sysbenchExport(another)).toBe(printedByCommandLine);
});

test('the intervals published during the run are those of the run result', () => {
  expect(published.length).toBeGreaterThanOrEqual(4);
  expect(published).toEqual(result.intervals.slice(0, published.length));
  expect(session.store.getState().intervals).toEqual(result.intervals);
});

test('the page’s own percentiles of the whole run’s histogram are the engine’s', () => {
  const counts = new Uint32Array(shape.buckets);
  for (const [bucket, count] of session.store.getState().latencies!.wholeRun.counts) counts[bucket] = count;
  const { latency_samples } = result.counters;
  const figuresNs = [...percentilesNs(counts, [50, 95, 99], latency_samples!), largestNs(counts)];
  const { p50, p95, p99, max } = result.totals.latency_ms;
  expect(figuresNs.map((ns) => ns! / 1e6)).toEqual([p50, p95, p99, max]);
});
