import { useEffect, useRef } from 'react';

import { formatSeconds, formatVirtualTime } from '../analysis/format';
import type { Chart, ChartView } from '../charts/chart';
import type { Platform } from '../engine-client/platforms';
import type { Mark } from '../engine-client/snapshot';
import { markLabel } from '../state/log';
import type { Manifest } from '../state/manifest';
import type { Session } from '../state/session';
import { chartRange, timeScaleOf } from '../state/time-scale';
import { drawOnChanges } from './draw-on-changes';
import { useExplorer, useSession } from './session-context';

interface ChartHostProps {
  label: string;
  create: (host: HTMLElement) => Chart;
}

/** Gives a chart its place and tells it when to draw. React renders this only for its label: the chart follows the history itself. */
export function ChartHost({ label, create }: ChartHostProps) {
  const session = useSession();
  const host = useRef<HTMLDivElement>(null);
  const marks = useExplorer(({ marks: all, scenario, draft }) =>
    marksInWords(all, scenario.manifest, draft.platform),
  );
  useEffect(() => {
    const chart = create(host.current!);
    const stop = followHistory(chart, session);
    return () => {
      stop();
      chart.destroy();
    };
  }, [create, session]);
  return <div ref={host} className="chart" role="img" aria-label={`${label}. ${marks}`} />;
}

function marksInWords(marks: readonly Mark[], manifest: Manifest, platform: Platform): string {
  if (marks.length === 0) return 'No marks.';
  const format = platform === 'virtual' ? formatVirtualTime : formatSeconds;
  const words = marks.map((mark) => `${markLabel(mark, manifest)} at ${format(mark.run_ns / 1e9)}`);
  return `Marks: ${words.join(', ')}.`;
}

function followHistory(chart: Chart, session: Session): () => void {
  return drawOnChanges(session, {
    draw: () => {
      chart.draw(chartView(session));
    },
    restyle: () => {
      chart.restyle();
    },
    subscribe: (onData) => session.history.subscribe(onData),
    concerns: (state, before) =>
      state.marks !== before.marks || state.run_state !== before.run_state || state.spec !== before.spec,
  });
}

function chartView({ history, store }: Session): ChartView {
  const { marks, run_state, scenario, spec, draft, draft_spec } = store.getState();
  const time_scale = timeScaleOf(spec ?? draft_spec ?? { platform: draft.platform, duration_s: null });
  return {
    history,
    range: chartRange(time_scale, history.end_s, run_state === 'finished'),
    is_virtual: time_scale.is_virtual,
    marks: marks.map((mark) => ({
      t_s: mark.run_ns / 1e9,
      kind: mark.kind,
      label: markLabel(mark, scenario.manifest),
    })),
  };
}
