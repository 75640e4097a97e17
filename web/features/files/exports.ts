// Exports a run to a file in each format (docs/reference/files.md). Loaded with the first export.
import type { LaneSegment } from '../../contract/telemetry-states';
import { chromeTrace, type TraceSample } from '../../analysis/exports/chrome-trace';
import { collapsedStacks, speedscopeFile } from '../../analysis/exports/speedscope';
import { hdrLog } from '../../analysis/exports/hdr-log';
import { intervalCsv, sysbenchText } from '../../analysis/exports/interval-csv';
import { busy_states } from '../../contract/time-shares';
import { thread_states } from '../../contract/gen/telemetry-layout';
import type { Names, RunThread } from '../../engine-client/snapshot';
import { chartPicture } from '../../session/chart-picture';
import type { PictureDrawer } from './draw-picture';
import type { PictureContent } from './picture-frame';
import type { HistoryRows } from '../../recording/history';
import { markLabel } from '../../session/log';
import { baselineRun } from '../../session/baseline-run';
import { describeRun, fileName, linkOfRun } from '../../session/run-description';
import type { RunSpec } from '../../contract/run-spec';
import type { Session } from '../../session/session';
import { clockStepShown } from '../../session/store';
import type { ExportFormat, ExportId } from './export-formats';

export interface ExportedRun {
  name: string;
  content: Blob;
}

type Make = (session: Session, spec: RunSpec, drawPicture: PictureDrawer) => Promise<BlobPart[]> | BlobPart[];

const makers: Record<ExportId, Make> = {
  svg: (session, spec, drawPicture) => drawnPicture(session, spec, drawPicture, 'svg'),
  png: (session, spec, drawPicture) => drawnPicture(session, spec, drawPicture, 'png'),
  json: ({ store }) => [store.getState().resultJson!],
  csv: ({ store }) => [intervalCsv(store.getState().result!.intervals)],
  sysbench: ({ store }) => {
    const { sysbenchHeader, intervals, sysbenchReport } = store.getState();
    return [sysbenchText({ header: sysbenchHeader ?? [], intervals, report: sysbenchReport ?? [] })];
  },
  trace,
  speedscope: ({ store }, spec) => {
    const { title: run, conditions, source } = describeRun(spec, store.getState());
    const names = { name: `${run} (${conditions})`, exporter: source };
    return [JSON.stringify(speedscopeFile(store.getState().result!.stacks, names))];
  },
  collapsed: ({ store }) => [collapsedStacks(store.getState().result!.stacks)],
  hdr: async ({ store }, spec) => {
    const { intervals, wholeRun } = store.getState().latencies!;
    const { title: run, conditions, source } = describeRun(spec, store.getState());
    const description = [run, conditions, source, `run: ${linkOfRun(spec)}`];
    return [await hdrLog({ intervals, wholeRun, description })];
  },
};

/** Exports the shown run in a format. */
export async function exportRun(
  session: Session,
  format: ExportFormat,
  drawPicture: PictureDrawer = drawInPage,
): Promise<ExportedRun> {
  const state = session.store.getState();
  const spec = baselineRun(state);
  if (spec === null) throw new Error(`Nothing to export as ${format.title}.`);
  const parts = await makers[format.id](session, spec, drawPicture);
  return {
    name: fileName(spec, state.scenario.manifest, format.ending),
    content: new Blob(parts, { type: format.type }),
  };
}

// Loaded for the first picture.
const drawInPage: PictureDrawer = async (content, format) =>
  (await import('./draw-picture')).drawPicture(content, format);

async function drawnPicture(
  session: Session,
  spec: RunSpec,
  drawPicture: PictureDrawer,
  format: 'svg' | 'png',
): Promise<BlobPart[]> {
  const state = session.store.getState();
  const content: PictureContent = {
    picture: chartPicture(session),
    description: describeRun(spec, state),
    manifest: state.scenario.manifest,
    clockStepNs: clockStepShown(state),
  };
  return [await drawPicture(content, format)];
}

function trace(session: Session, spec: RunSpec): BlobPart[] {
  const { history, lanes, store } = session;
  const state = store.getState();
  const now = session.lanesNow() ?? { nowNs: 0, threads: [], names: noNames };
  const segments = lanes.length === 0 ? [] : segmentsUntilNow(session, now.nowNs, now.threads);
  const withSegments = new Set(segments.map(({ slot }) => slot));
  const { title, conditions, source } = describeRun(spec, state);
  return chromeTrace({
    threads: now.threads.filter(({ slot }) => withSegments.has(slot)),
    names: now.names,
    segments,
    samples: traceSamples(history),
    intervals: state.result?.intervals ?? [],
    marks: state.marks.map((mark) => ({ ...mark, label: markLabel(mark) })),
    metadata: {
      written_by: source,
      run: title,
      conditions,
      run_spec: spec,
      link: linkOfRun(spec),
      time: spec.platform === 'virtual' ? 'virtual time of a modeled server' : 'run time without pauses',
      // Only the newest part of a longer run has lanes.
      lanes_from_us: segments.length === 0 ? null : lanes.knownFromNs / 1000,
    },
  });
}

const noNames: Names = { functions: [], latches: [], latchSites: [] };
const busy = new Set(busy_states.map((state) => thread_states.indexOf(state)));

/** Returns segments, oldest first, followed by each thread's activity since its last segment. */
function segmentsUntilNow({ lanes }: Session, nowNs: number, threads: readonly RunThread[]): LaneSegment[] {
  const segments: LaneSegment[] = [];
  const lastEndNs = new Map<number, number>();
  lanes.visitSince(Number.NEGATIVE_INFINITY, (segment) => {
    if (!lastEndNs.has(segment.slot)) lastEndNs.set(segment.slot, segment.to_ns);
    if (busy.has(segment.state)) segments.push({ ...segment });
  });
  const underWay = threads.map(({ slot, state }) => ({
    ...{ slot, state, from_ns: lastEndNs.get(slot) ?? lanes.knownFromNs, to_ns: nowNs },
    ...{ core: -1, site: -1, latch: 0, holder: -1, holder_site: -1 },
  }));
  return [
    ...segments.reverse(),
    ...underWay.filter(({ state, from_ns, to_ns }) => busy.has(state) && to_ns > from_ns),
  ];
}

function traceSamples(history: HistoryRows): TraceSample[] {
  const [tS, rates, p50, p95, p99] = (
    ['t_s', 'transactions_per_s', 'p50_ns', 'p95_ns', 'p99_ns'] as const
  ).map((name) => history.column(name));
  return Array.from({ length: history.length }, (_, row) => ({
    tS: tS![row]!,
    transactionsPerS: rates![row]!,
    p50Ns: p50![row]!,
    p95Ns: p95![row]!,
    p99Ns: p99![row]!,
  }));
}
