// Writes the figures of a study as a table with one row per run.
import { csvFormatRows } from 'd3-dsv';

import type { ReportPoint, WhatIfReport } from '../../contract/what-if-report';

const header = [
  'scenario',
  'point',
  'what_if',
  'seed',
  'from_s',
  'tps',
  'p99_ms',
  'tps_ratio',
  'low',
  'high',
];

export function studyAsCsv(report: WhatIfReport): string {
  const { scenario, seed } = report.spec as { scenario: string; seed: number };
  const rows = pointsOf(report).flatMap(({ name, what_if, runs, tps_ratio }) =>
    runs.map((run, place) => [
      scenario,
      name,
      what_if === undefined ? '' : JSON.stringify(what_if),
      seed + place,
      report.from_s,
      run?.tps ?? '',
      run?.p99_ms ?? '',
      tps_ratio.mean ?? '',
      tps_ratio.low ?? '',
      tps_ratio.high ?? '',
    ]),
  );
  return `${csvFormatRows([header, ...rows.map((row) => row.map(String))])}\n`;
}

export const pointsOf = (report: WhatIfReport): readonly ReportPoint[] =>
  'points' in report
    ? report.points
    : [report.base, ...report.latches.flatMap(({ section, hand_over }) => [section, hand_over])];
