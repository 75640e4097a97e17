import { useEffect, useRef } from 'react';
import { useErrorBoundary } from 'react-error-boundary';

import { momentFormat } from '../../charts/axes';
import { OverviewChart } from '../../charts/overview-chart';
import { chartPicture, overviewRange } from '../../session/chart-picture';
import type { Session } from '../../session/session';
import { drawOnChanges } from '../../widgets/draw-on-changes';
import { Part } from '../../widgets/part';
import { useExplorer, useSession } from '../../widgets/session-context';
import { chartMarks } from './chart-marks';
import { OverviewPointer } from './overview-pointer';

const KEYS =
  'Left and right arrows: move by a tenth, with Shift by a half. Plus and minus: zoom. Home and End: start and end of the run. Escape: whole run.';

/**
 * Shows the whole run below the charts, with a window for the charts' range that can be moved and
 * zoomed.
 */
export function Overview() {
  const hasRun = useExplorer(({ spec }) => spec !== null);
  return <Part name="The overview">{hasRun && <OverviewOfRun />}</Part>;
}

function OverviewOfRun() {
  const session = useSession();
  const { showBoundary } = useErrorBoundary();
  const host = useRef<HTMLDivElement>(null);
  const handle = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chart = new OverviewChart(host.current!);
    const pointer = new OverviewPointer(handle.current!, chart, session);
    const endDrawing = drawOnChanges(session, {
      draw: () => {
        draw(chart, session);
        describe(handle.current!, session);
      },
      restyle: () => {
        chart.restyle();
      },
      subscribe: (onData) => session.history.subscribe(onData),
      concerns: (state, before) =>
        state.marks !== before.marks ||
        state.run_state !== before.run_state ||
        state.spec !== before.spec ||
        state.chart !== before.chart,
      onFault: showBoundary,
    });
    return () => {
      endDrawing();
      pointer.destroy();
      chart.destroy();
    };
  }, [session, showBoundary]);
  return (
    <div className="overview chart-box">
      <div ref={host} className="chart" aria-hidden="true" />
      <div
        ref={handle}
        className="chart-cursor overview-handle"
        role="slider"
        tabIndex={0}
        aria-label="Visible part of the run"
        aria-description={KEYS}
        aria-valuenow={0}
        title="Drag to move or select, scroll to zoom"
      />
    </div>
  );
}

function draw(chart: OverviewChart, session: Session): void {
  const { history, marks, range, rateScale, isVirtual } = chartPicture(session);
  const whole = overviewRange(session);
  chart.draw({
    history,
    marks: chartMarks(marks),
    whole,
    shown: range,
    rateScale,
    isVirtual,
  });
}

function describe(handle: HTMLElement, session: Session): void {
  const { range, isVirtual } = chartPicture(session);
  const whole = overviewRange(session);
  const { unit, figure } = momentFormat(whole, isVirtual);
  handle.ariaValueMin = String(whole.fromS);
  handle.ariaValueMax = String(whole.toS);
  handle.ariaValueNow = String(range.fromS);
  handle.ariaValueText = `${figure(range.fromS)} to ${figure(range.toS)} of ${figure(whole.toS)} ${unit}`;
}
