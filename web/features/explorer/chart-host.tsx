import { useEffect, useRef } from 'react';
import { useErrorBoundary } from 'react-error-boundary';

import { formatSeconds, formatVirtualTime } from '../../analysis/format';
import { momentText } from '../../charts/axes';
import type { ChartMark, ChartView } from '../../charts/chart';
import type { TimeChart } from '../../charts/time-chart';
import type { Platform } from '../../contract/platforms';
import type { RunMark } from '../../recording/run-marks';
import { chartPicture } from '../../session/chart-picture';
import { describeMark, markLabel } from '../../session/log';
import { frames } from '../../charts/frames';
import type { Session } from '../../session/session';
import { ChartPointer } from './chart-pointer';
import { drawOnChanges, orFault } from '../../widgets/draw-on-changes';
import { Part } from '../../widgets/part';
import { useExplorer, useSession } from '../../widgets/session-context';

interface ChartHostProps {
  title: string;
  label: string;
  create: (host: HTMLElement) => TimeChart;
  /** Id of the text that describes the keys. */
  describedBy: string;
  /** Called for a press where there is no mark, and for Enter at the moment under the crosshair. */
  select?: ((session: Session, tS: number) => void) | undefined;
}

/**
 * Gives a chart its place and triggers its drawing. React renders only its label, because the chart
 * follows the history itself.
 */
export function ChartHost(props: ChartHostProps) {
  return (
    <Part name={`Chart “${props.title}”`}>
      <Chart {...props} />
    </Part>
  );
}

function Chart({ title, label, create, describedBy, select }: ChartHostProps) {
  const session = useSession();
  const { showBoundary } = useErrorBoundary();
  const host = useRef<HTMLDivElement>(null);
  const cursor = useRef<HTMLDivElement>(null);
  const hasRun = useExplorer(({ spec }) => spec !== null);
  const marks = useExplorer(({ marks: all, draft }) => marksInWords(all, draft.platform));
  useEffect(() => {
    const chart = create(host.current!);
    return letPoint(chart, cursor.current, session, { onFault: showBoundary, select });
  }, [create, session, hasRun, showBoundary, select]);
  return (
    <div className="chart-box">
      <div ref={host} className="chart" role="img" aria-label={`${label}. ${marks}`} />
      {hasRun && (
        <div
          ref={cursor}
          className="chart-cursor"
          role="slider"
          tabIndex={0}
          aria-label={`Time in ${title}`}
          aria-describedby={describedBy}
          aria-valuenow={0}
          aria-valuetext={NO_MOMENT}
        />
      )}
    </div>
  );
}

const NO_MOMENT = 'no time selected';

function marksInWords(marks: readonly RunMark[], platform: Platform): string {
  if (marks.length === 0) return 'No marks.';
  const format = platform === 'virtual' ? formatVirtualTime : formatSeconds;
  const words = marks.map((mark) => `${markLabel(mark)} at ${format(mark.run_ns / 1e9)}`);
  return `Marks: ${words.join(', ')}.`;
}

/** Draws on changes. With a cursor element, also lets the reader point at moments. */
function letPoint(
  chart: TimeChart,
  cursor: HTMLElement | null,
  session: Session,
  { onFault, select }: Pick<ChartHostProps, 'select'> & { onFault: (error: unknown) => void },
): () => void {
  const pointer = cursor === null ? null : new ChartPointer(cursor, chart, session, select);
  const endDrawing = followHistory(chart, session, onFault, () => pointer?.onDrawn());
  const describe = orFault(() => {
    if (cursor !== null) describeMoment(cursor, session);
  }, onFault);
  const point = orFault(() => chart.point(session.pointing.getState()), onFault);
  point();
  describe();
  const endPointing = session.pointing.subscribe(() => {
    frames.schedule('input', point);
    frames.schedule('draw', describe);
  });
  return () => {
    pointer?.destroy();
    endDrawing();
    endPointing();
    frames.cancel(point);
    frames.cancel(describe);
  };
}

function followHistory(
  chart: TimeChart,
  session: Session,
  onFault: (error: unknown) => void,
  onDrawn: () => void,
): () => void {
  return drawOnChanges(session, chart, {
    onFault,
    draw: () => {
      chart.draw(chartView(session));
      onDrawn();
    },
    subscribe: (onData) =>
      session.history.subscribe(() => {
        if (session.store.getState().chart.frozen === null) onData();
      }),
    concerns: (state, before) =>
      state.marks !== before.marks ||
      state.run_state !== before.run_state ||
      state.spec !== before.spec ||
      state.chart !== before.chart ||
      state.previousRun !== before.previousRun,
  });
}

function describeMoment(cursor: HTMLElement, session: Session): void {
  const { tS } = session.pointing.getState();
  const { range, isVirtual } = chartPicture(session);
  cursor.ariaValueMin = String(range.fromS);
  cursor.ariaValueMax = String(range.toS);
  cursor.ariaValueNow = String(tS ?? range.fromS);
  cursor.ariaValueText = tS === null ? NO_MOMENT : momentText(tS, range, isVirtual);
}

/** Converts the marks of a run for the charts. */
export const chartMarks = (marks: readonly RunMark[]): ChartMark[] =>
  marks.map((mark) => ({
    tS: mark.run_ns / 1e9,
    kind: mark.kind,
    label: markLabel(mark),
    text: describeMark(mark).text,
  }));

function chartView(session: Session): ChartView {
  const { marks, previousRun, ...picture } = chartPicture(session);
  return {
    ...picture,
    marks: chartMarks(marks),
    previous: previousRun?.history ?? null,
  };
}
