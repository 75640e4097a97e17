import { describe, expect, test } from 'vitest';

import { chartPicture, zoomCharts } from './chart-picture';
import { chartCommands } from './commands';
import { pauseMark } from '../engine-client/test-fixtures/pause-mark';
import { History, historyColumns, type HistoryRow } from '../recording/history';
import { defaultRunSpec } from '../contract/run-spec';
import { Session } from './session';
import { fil_mutex, machine, scenarios } from '../contract/test-fixtures';

const nothing = Object.fromEntries(historyColumns.map((name) => [name, null])) as HistoryRow;
const neverLoaded = () => Promise.reject(new Error('This test needs no engine.'));

/** A run on real threads that has lasted 100 s. */
function sessionWithRun() {
  const session = new Session({
    scenarios,
    machine,
    clockStepNs: 5000,
    missing: { threads: [], virtual: [] },
    loaders: { threads: neverLoaded, virtual: neverLoaded },
  });
  session.commands.register(chartCommands(session));
  const spec = defaultRunSpec(fil_mutex.manifest, machine);
  session.store.setState({ scenario: fil_mutex, spec, run_state: 'running' });
  const runUntil = (endS: number) => {
    for (let tS = session.history.endS + 1; tS <= endS; tS += 1) {
      session.history.append(Object.fromEntries(historyColumns.map((name) => [name, tS])) as HistoryRow);
    }
  };
  const execute = (id: string) => {
    expect(session.commands.isEnabled(id), id).toBe(true);
    void session.commands.perform(id);
  };
  const range = () => chartPicture(session).range;
  runUntil(100);
  return { session, runUntil, execute, range };
}

const mark = { ...pauseMark, run_ns: 90e9 };

test('a run is followed, all of it', () => {
  const { runUntil, range } = sessionWithRun();
  expect(range()).toEqual({ fromS: 0, toS: 100 });
  runUntil(110);
  expect(range()).toEqual({ fromS: 0, toS: 125 });
});

test('the axis starts again from the last mark, until the whole run is asked for', () => {
  const { session, execute, range } = sessionWithRun();
  expect(session.commands.isEnabled('chart.since_mark')).toBe(false);
  session.store.setState({ marks: [mark] });
  execute('chart.since_mark');
  expect(range()).toEqual({ fromS: 90, toS: 100 });
  execute('chart.whole_run');
  expect(range()).toEqual({ fromS: 0, toS: 100 });
});

test('throughput has the scale that shows all of it, or the one that was chosen', () => {
  const { session, execute } = sessionWithRun();
  const scale = () => chartPicture(session).rateScale;
  session.history.clear();
  for (const [tS, transactionsPerS] of [14_000, 14_000, 180, 180].entries())
    session.history.append({ ...nothing, t_s: tS, transactions_per_s: transactionsPerS });
  expect(scale()).toBe('log');
  execute('chart.log_scale');
  expect(scale()).toBe('linear');
  execute('chart.log_scale');
  expect(scale()).toBe('log');
  session.store.setState({ chart: { ...session.store.getState().chart, rateScale: null } });
  session.history.clear();
  for (const [tS, transactionsPerS] of [0, 1000, 0, 2000].entries())
    session.history.append({ ...nothing, t_s: tS, transactions_per_s: transactionsPerS });
  expect(scale()).toBe('linear');
});

describe('zoomed charts', () => {
  test('keep their range during a run, until it is followed again', () => {
    const { session, runUntil, execute, range } = sessionWithRun();
    zoomCharts(session, { fromS: 75, toS: 85 });
    runUntil(120);
    expect(range()).toEqual({ fromS: 75, toS: 85 });
    expect(chartPicture(session).isStill).toBe(true);
    execute('chart.follow');
    expect(range()).toEqual({ fromS: 0, toS: 125 });
  });

  test('are zoomed around the moment that is pointed at', () => {
    const { session, execute, range } = sessionWithRun();
    session.pointing.setState({ tS: 80 });
    execute('chart.zoom_in');
    expect(range()).toEqual({ fromS: 40, toS: 90 });
    session.pointing.setState({ tS: null });
    execute('chart.zoom_in');
    expect(range()).toEqual({ fromS: 52.5, toS: 77.5 });
    execute('chart.zoom_out');
    expect(range()).toEqual({ fromS: 40, toS: 90 });
  });

  test('show the whole run on demand', () => {
    const { execute, range } = sessionWithRun();
    execute('chart.zoom_in');
    execute('chart.whole_run');
    expect(range()).toEqual({ fromS: 0, toS: 100 });
  });
});

describe('frozen charts', () => {
  test('keep range, rows and marks, even after the previous run is forgotten', () => {
    const { session, runUntil, execute, range } = sessionWithRun();
    execute('chart.freeze');
    runUntil(150);
    session.store.setState({
      marks: [{ ...mark, run_ns: 140e9 }],
    });
    const { history, marks } = chartPicture(session);
    expect([history.length, history.endS, marks.length]).toEqual([100, 100, 0]);
    session.history.clear();
    expect(history.column('p99_ns').at(-1)).toBe(100);
    expect(range()).toEqual({ fromS: 0, toS: 100 });
    expect(session.store.getState().chart.frozen!.atS).toBe(100);
  });

  test('can be zoomed, and continue when unfrozen', () => {
    const { session, runUntil, execute, range } = sessionWithRun();
    execute('chart.freeze');
    zoomCharts(session, { fromS: 95, toS: 99 });
    runUntil(110);
    expect(range()).toEqual({ fromS: 95, toS: 99 });
    execute('chart.freeze');
    execute('chart.unzoom');
    expect(range()).toEqual({ fromS: 0, toS: 125 });
  });
});

test('the previous run can be hidden', () => {
  const { session, execute } = sessionWithRun();
  const previousRun = {
    history: session.history.copy(),
    design: 'original',
    threads: 8,
    whatIf: null,
    kind: 'previous' as const,
    phases: [],
  };
  session.store.setState({ previousRun });
  expect(chartPicture(session).previousRun).toBe(previousRun);
  execute('chart.previous_run');
  expect(chartPicture(session).previousRun).toBeNull();
});

test('a recorded run is seen whole, on its own scale, before the run that goes on has got as far', () => {
  const { session, execute, range } = sessionWithRun();
  const recorded = new History();
  recorded.show(
    [14_000, 14_000, 180, 180].map((rate, i) => ({ ...nothing, t_s: 200 * i, transactions_per_s: rate })),
  );
  const live = { fromS: 0, toS: range().toS };
  session.store.setState({
    previousRun: {
      history: recorded,
      design: 'original',
      threads: 8,
      phases: [],
      whatIf: null,
      kind: 'recorded',
    },
  });
  expect(range()).toEqual({ fromS: 0, toS: 600 });
  expect(chartPicture(session).rateScale).toBe('log');
  execute('chart.previous_run');
  expect(range()).toEqual(live);
  expect(chartPicture(session).rateScale).toBe('linear');
});
