// Creates comparisons and sweeps without an engine: every run has the throughput given for its
// design.
import type { RunResult } from '../../contract/run-result';
import { defaultRunSpec, type RunSpec } from '../../contract/run-spec';
import { fil_mutex, machine, scenarios } from '../../contract/test-fixtures';
import { checkDraft, draftOf } from '../../session/draft';
import type { SeriesRunReport } from '../../session/run-series';
import { registerStandIns, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { experimentCommands } from './experiment-commands';
import { Experiments } from './experiments';
import { experimentsFeature } from './index';

const isFixed = ({ design }: RunSpec) =>
  design.tablespace_lookup === 'atomic_word' || design.purge_latch === 'sharded_view_guard';

function reportOf(run: RunSpec): SeriesRunReport {
  const tps = isFixed(run) ? 300 : 100;
  const intervals = Array.from({ length: Math.round(run.duration_s! / run.interval_s!) }, (_, i) => ({
    t_s: (i + 1) * run.interval_s!,
    tps,
    latency_ms: { p99: 1 },
  }));
  const latches = [{ latch: 'Fil_shard::m_mutex', acquisitions: 200 }];
  const counters = { undo_reads: 100, rows_scanned: 100 };
  return {
    result: { intervals, invariants: [], latches, counters } as unknown as RunResult,
    marks: run.actions.length,
    wasHidden: false,
  };
}

export function experimentsWith(
  onRun: (number: number) => Promise<void> | void = () => undefined,
  scenario = fil_mutex,
) {
  const spec = defaultRunSpec(scenario.manifest, machine, 'virtual');
  const session = sessionForTest({ features: [experimentsFeature] });
  const store = session.store;
  store.setState({ scenario, view: 'compare', ...checkDraft(draftOf(spec), scenarios, machine) });
  let runs = 0;
  const experiments = new Experiments(
    {
      store,
      place: (target) => session.place(target),
      beginSeries: (name, cancel) => ({
        ...session.beginSeries(name, cancel),
        workers: [
          {
            run: async (run) => {
              runs += 1;
              await onRun(runs);
              return reportOf(run);
            },
          },
        ],
        stop: () => Promise.resolve(),
      }),
    },
    () => 1000 * runs,
  );
  const saved: string[] = [];
  session.commands.register(experimentCommands(experiments, (name) => saved.push(name)));
  registerStandIns(session, 'measured.open', 'measured.close');
  return { session, experiments, saved, store, state: () => store.getState(), runs: () => runs };
}
