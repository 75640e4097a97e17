// Lists the formats for exporting a run, and when each is available (docs/reference/files.md). The code of
// the exports loads with the first one.
import { lacksSysbenchLines, type ExplorerState } from '../../session/store';

export type ExportId =
  'svg' | 'png' | 'json' | 'csv' | 'sysbench' | 'trace' | 'speedscope' | 'collapsed' | 'hdr';

export interface ExportFormat {
  id: ExportId;
  title: string;
  /** The programs that read it, in a few words. */
  readers: string;
  group: 'Charts' | 'Run' | 'Profiles';
  ending: string;
  type: string;
  /** Returns why there is nothing to export now; null if there is. */
  whyNot: (state: ExplorerState) => string | null;
}

const untilMeasured = ({ live, result }: ExplorerState) =>
  live === null && result === null ? 'no measurements yet' : null;

const untilOver = ({ result }: ExplorerState) => (result === null ? 'after a run' : null);

function untilStacks({ result }: ExplorerState): string | null {
  if (result === null) return 'after a run';
  return result.stacks.length === 0 ? 'this run has no stack samples' : null;
}

function untilLatencies({ latencies, opened }: ExplorerState): string | null {
  if (opened !== null) return 'a result file has no histogram';
  return latencies === null ? 'after a run' : null;
}

function untilIntervals(state: ExplorerState): string | null {
  if (lacksSysbenchLines(state)) return 'the file comes from an earlier engine without these lines';
  const isEmpty = state.intervals.length === 0 && state.sysbenchReport === null;
  return isEmpty ? 'no interval has ended yet' : null;
}

export const exportFormats: readonly ExportFormat[] = [
  {
    id: 'svg',
    title: 'Charts, SVG',
    readers: 'vector drawing',
    group: 'Charts',
    ending: 'svg',
    type: 'image/svg+xml',
    whyNot: untilMeasured,
  },
  {
    id: 'png',
    title: 'Charts, PNG',
    readers: 'image, 2400 pixels wide',
    group: 'Charts',
    ending: 'png',
    type: 'image/png',
    whyNot: untilMeasured,
  },
  {
    id: 'json',
    title: 'Run result, JSON',
    readers: 'can be opened here',
    group: 'Run',
    ending: 'json',
    type: 'application/json',
    whyNot: untilOver,
  },
  {
    id: 'csv',
    title: 'Intervals, CSV',
    readers: 'spreadsheets, R, pandas',
    group: 'Run',
    ending: 'csv',
    type: 'text/csv',
    whyNot: untilOver,
  },
  {
    id: 'sysbench',
    title: 'sysbench output, text',
    readers: 'sysbench 1.0 parsers',
    group: 'Run',
    ending: 'sysbench.txt',
    type: 'text/plain',
    whyNot: untilIntervals,
  },
  {
    id: 'trace',
    title: 'Trace, Chrome JSON',
    readers: 'Perfetto, Firefox Profiler, speedscope',
    group: 'Profiles',
    ending: 'trace.json',
    type: 'application/json',
    whyNot: untilMeasured,
  },
  {
    id: 'speedscope',
    title: 'Stacks, speedscope',
    readers: 'speedscope.app',
    group: 'Profiles',
    ending: 'speedscope.json',
    type: 'application/json',
    whyNot: untilStacks,
  },
  {
    id: 'collapsed',
    title: 'Stacks, collapsed',
    readers: 'flamegraph.pl, inferno, speedscope',
    group: 'Profiles',
    ending: 'collapsed.txt',
    type: 'text/plain',
    whyNot: untilStacks,
  },
  {
    id: 'hdr',
    title: 'Latencies, HdrHistogram log',
    readers: 'HistogramLogAnalyzer, hdr-plot',
    group: 'Profiles',
    ending: 'hlog',
    type: 'text/plain',
    whyNot: untilLatencies,
  },
];
