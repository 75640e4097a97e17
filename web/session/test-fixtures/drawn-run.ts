// Builds a run for tests that draw: two clients and one of the server's own threads, which queue
// for one mutex.
import type { FlameStack } from '../../contract/live-view';
import { defaultRunSpec } from '../../contract/run-spec';
import type { RunResult } from '../../contract/run-result';
import { undo_result } from '../../contract/run-result-fixtures';
import { fil_mutex, machine } from '../../contract/test-fixtures';
import { busy_states } from '../../contract/time-shares';
import type { HistoryRow } from '../../recording/history';
import type { Session } from '../session';

export const MUTEX = 'fil_system->mutex';

const [latencyMs] = undo_result.intervals.map((interval) => interval.latency_ms);
const [latch] = undo_result.latches;

/** Bug #69276 on the virtual server. Halfway through, the knob changes to shards. */
export const drawnResult: RunResult = {
  ...undo_result,
  spec: {
    ...defaultRunSpec(fil_mutex.manifest, machine, 'virtual'),
    threads: 2,
    duration_s: 0.02,
    interval_s: 0.005,
    actions: [{ at_s: 0.01, knob: 'tablespace_lookup', variant: 'sharded_mutex' }],
  },
  intervals: [0.005, 0.01, 0.015, 0.02].map((tS, i) => ({
    t_s: tS,
    tps: 1000 * (i + 1),
    qps: 1000,
    errors_per_s: 0,
    latency_ms: latencyMs!,
  })),
  totals: { ...undo_result.totals, seconds: 0.02, transactions: 50, tps: 2500 },
  counters: { ...undo_result.counters, transactions: 50, latency_samples: 50, block_reads: 100 },
  latches: [
    { ...latch!, latch: MUTEX, site: 'fil_space_get_version', acquisitions: 1234, contended: 617 },
    { ...latch!, latch: MUTEX, site: 'fil_io', acquisitions: 766, contended: 0 },
    { ...latch!, latch: 'Fil_shard::m_mutex', site: 'fil_space_acquire', acquisitions: 40, contended: 4 },
  ],
  stacks: [
    { frames: ['handle_one_connection', 'buf_read_page', 'fil_space_get_version'], samples: 30 },
    { frames: ['handle_one_connection', 'buf_read_page', 'fil_io'], samples: 10 },
    { frames: ['srv_purge_coordinator_thread'], samples: 5 },
  ],
};

/** The same stacks as seen during the run: which threads were clients, and their states. */
const flame: FlameStack[] = drawnResult.stacks.map(({ frames, samples }) => ({
  frames,
  samples,
  is_client: frames[0] === 'handle_one_connection',
  states: frames.includes('fil_space_get_version') ? { spinning: samples } : { running: samples },
  doing: null,
}));

/** Twelve moments, a virtual millisecond apart: throughput rises, latencies fall. */
export const drawnRows: HistoryRow[] = Array.from({ length: 12 }, (_, i) => ({
  t_s: (i + 1) / 1000,
  from_s: i / 1000,
  transactions: ((i + 1) * (i + 2)) / 2,
  transactions_per_s: 1000 * (i + 1),
  operations_per_s: 6000 * (i + 1),
  p50_ns: 100_000 - i * 1000,
  p95_ns: 200_000,
  p99_ns: 300_000,
  max_ns: 400_000,
  ...Object.fromEntries(busy_states.map((state, place) => [state, place === 0 ? 0.4 : 0.15])),
})) as HistoryRow[];

/** Shows it as a finished run. */
export async function showDrawnRun(session: Session): Promise<void> {
  await session.files.openResult(JSON.stringify(drawnResult), 'drawn.json');
}

/** Shows it as a paused run under the draft's design, by default the original one. */
export async function showDrawnRunPaused(session: Session): Promise<void> {
  await showDrawnRun(session);
  const { live } = session.store.getState();
  session.store.setState({
    run_state: 'paused',
    result: null,
    resultJson: null,
    opened: null,
    live: {
      ...live!,
      flame: { recent: flame, run: flame },
      latches_now: {
        [MUTEX]: { waiting: 1, spinning: 0, holders: ['client 0 in fil_space_get_version'] },
      },
    },
  });
}

/** Draws the twelve moments in the charts instead of the result's intervals. */
export async function showDrawnRows(session: Session): Promise<void> {
  await showDrawnRun(session);
  session.history.clear();
  session.history.show(drawnRows);
}
