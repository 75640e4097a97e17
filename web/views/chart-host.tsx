import { useEffect, useRef } from 'react';

import { formatSeconds } from '../analysis/format';
import type { Chart, ChartView } from '../charts/chart';
import type { Mark } from '../engine-client/snapshot';
import { markLabel } from '../state/log';
import type { Manifest } from '../state/manifest';
import type { Session } from '../state/session';
import { scheduleInFrame, unschedule } from './frame-scheduler';
import { useExplorer, useSession } from './session-context';

const RANGE_WHILE_RUNNING_S = 30;

interface ChartHostProps {
  label: string;
  create: (host: HTMLElement) => Chart;
}

/** Gives a chart its place and tells it when to draw. React renders this only for its label: the chart follows the history itself. */
export function ChartHost({ label, create }: ChartHostProps) {
  const session = useSession();
  const host = useRef<HTMLDivElement>(null);
  const marks = useExplorer(({ marks: all, scenario }) => marksInWords(all, scenario.manifest));
  useEffect(() => {
    const chart = create(host.current!);
    const stop = drawOnChanges(chart, session);
    return () => {
      stop();
      chart.destroy();
    };
  }, [create, session]);
  return <div ref={host} className="chart" role="img" aria-label={`${label}. ${marks}`} />;
}

function marksInWords(marks: readonly Mark[], manifest: Manifest): string {
  if (marks.length === 0) return 'No marks.';
  const words = marks.map((mark) => `${markLabel(mark, manifest)} at ${formatSeconds(mark.run_ns / 1e9)}`);
  return `Marks: ${words.join(', ')}.`;
}

/** Draws at most once per animation frame. Returns the function that ends it. */
function drawOnChanges(chart: Chart, session: Session): () => void {
  const draw = () => {
    chart.draw(chartView(session));
  };
  const schedule = () => {
    scheduleInFrame(draw);
  };
  const restyle = () => {
    chart.restyle();
  };
  const dark_mode = matchMedia('(prefers-color-scheme: dark)');
  dark_mode.addEventListener('change', restyle);
  const unsubscribe_history = session.history.subscribe(schedule);
  const unsubscribe_store = session.store.subscribe((state, before) => {
    if (state.theme !== before.theme) restyle();
    if (state.marks !== before.marks || state.run_state !== before.run_state) schedule();
  });
  schedule();
  return () => {
    unschedule(draw);
    dark_mode.removeEventListener('change', restyle);
    unsubscribe_history();
    unsubscribe_store();
  };
}

function chartView({ history, store }: Session): ChartView {
  const { marks, run_state, scenario } = store.getState();
  const to_s = Math.max(RANGE_WHILE_RUNNING_S, history.end_s);
  const from_s = run_state === 'finished' ? 0 : to_s - RANGE_WHILE_RUNNING_S;
  return {
    history,
    range: { from_s, to_s },
    marks: marks.map((mark) => ({
      t_s: mark.run_ns / 1e9,
      kind: mark.kind,
      label: markLabel(mark, scenario.manifest),
    })),
  };
}
