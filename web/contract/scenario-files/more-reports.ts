// Defines scenarios/more-reports/reports.json: public reports that workload files model, with the
// conditions under which npm run evidence -- reports computes their bands.
import * as z from 'zod/mini';

import {
  choice,
  documentOf,
  hyphenated,
  identifier,
  integer,
  listOf,
  numberAbove,
  recordOf,
  strictObject,
  text,
} from '../schema-parts.ts';

const words = (max: number) => text({ min: 2, max });

const server = strictObject({
  family: hyphenated().check(z.describe('id of a family of plausible-servers.json')),
  costs: choice(['low', 'middle', 'high']).check(z.describe('which value of each of its ranges')),
});

const size = strictObject({
  sockets: integer({ min: 1, max: 8 }),
  cores_per_socket: integer({ min: 1, max: 128 }),
  threads_per_core: integer({ min: 1, max: 2 }),
});

const side = strictObject({
  design: z.optional(identifier().check(z.describe('a design of the workload'))),
  threads: z.optional(integer({ min: 1, max: 1_024 })),
  parameters: z.optional(
    recordOf(identifier(), integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), 'integers').check(
      z.describe('in the units of the parameters'),
    ),
  ),
});

const reported = strictObject({
  what: words(120).check(z.describe('what the figures are')),
  figure: words(200).check(z.describe('the figures as the report gives them')),
  ratio: z.optional(
    strictObject({
      low: numberAbove(0),
      high: z.optional(numberAbove(0).check(z.describe('left out if the report gives no upper end'))),
    }).check(z.describe('after : before; left out if the report has no comparable ratio')),
  ),
  conditions: words(300),
  checked: words(200).check(z.describe('where the figures were read, or who quotes them')),
});

const report = strictObject({
  id: hyphenated().check(z.describe('the name of its workload file')),
  title: words(60).check(z.describe('the title of its workload')),
  label: words(40).check(z.describe('the project and the number of the report')),
  url: text({ min: 10, max: 200 }),
  story: listOf(words(200), 'sentences', { min: 2, max: 4 }).check(
    z.describe('for readers who have never seen the bug'),
  ),
  reported,
  latch: z.optional(words(40).check(z.describe('the latch of the workload that limits the original'))),
  threads: integer({ min: 1, max: 1_024 }),
  sizes: listOf(size, 'sizes', { min: 1, max: 2 }).check(
    z.describe('the report’s server; two if the report does not state it, for every other server'),
  ),
  sizes_from: words(200),
  seconds: numberAbove(0).check(z.describe('virtual time of a run')),
  seeds: integer({ min: 1, max: 10 }).check(z.describe('number of runs whose sum or maximum counts')),
  measure: choice(['throughput', 'longest']).check(z.describe('`longest`: the longest transaction')),
  actions: z.optional(
    listOf(strictObject({ at_s: numberAbove(0), action: identifier() }), 'actions', { min: 1, max: 4 }),
  ),
  before: side,
  after: side,
  corners: listOf(identifier(), 'parameters', { max: 3 }).check(
    z.describe('parameters whose lowest and highest values are run, in every combination'),
  ),
  limits: words(300).check(z.describe('what the model does not have')),
});

export const more_reports_schema = documentOf(1, {
  servers: listOf(server, 'servers', { min: 1, max: 8 }).check(z.describe('on which every report runs')),
  reports: listOf(report, 'reports', { min: 1 }),
}).check(
  z.describe(
    'Public reports of lock contention beside the five bugs. A band is the range of after : before over all servers and corners. The model of a report is not changed after its band is known.',
  ),
);

export type MoreReports = z.infer<typeof more_reports_schema>;
export type MoreReport = z.infer<typeof report>;

/** What the band says about the report. */
export const verdicts = ['inside', 'outside', 'predicts_nothing', 'not_comparable'] as const;
export type Verdict = (typeof verdicts)[number];

/** The results of a report in scenarios/more-reports-results.json. */
export interface ReportFigures {
  /** After : before, over all servers and corners. */
  band: [low: number, high: number];
  verdict: Verdict;
  /** Whether the report lies in the band, whatever the band is worth; null without a ratio. */
  within: boolean | null;
  servers: number;
  corners: number;
  /** The share of the clients' time that the named latch takes before the fix; null if none is. */
  latch_share: [low: number, high: number] | null;
  by_server: { server: string; low: number; high: number }[];
  /** A digest of the workload file and of the conditions. */
  inputs: string;
}

/** What the page shows of a report. */
export interface ShownReport
  extends
    Pick<MoreReport, 'id' | 'title' | 'label' | 'story'>,
    Pick<ReportFigures, 'band' | 'verdict' | 'within'> {
  ratio: MoreReport['reported']['ratio'];
}
