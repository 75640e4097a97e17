import { useMemo } from 'react';

import { momentFormat } from '../../charts/axes';
import { moved, scaledAround } from '../../charts/chart-viewport';
import {
  chartPicture,
  overviewRange,
  shownRange,
  unzoomCharts,
  zoomCharts,
} from '../../session/chart-picture';
import type { Session } from '../../session/session';
import { Part } from '../../widgets/part';
import { useExplorer, useSession } from '../../widgets/session-context';
import { TimeStrip, type TimeStripModel } from '../../widgets/time-strip';
import { chartMarks } from './chart-host';

/** Distance within which a pointer is on an edge of the window. */
const EDGE_REACH_PX = 7;
const ZOOM_FACTOR = 1.25;

/**
 * Shows the whole run below the charts, with a window for the charts' range that can be moved and
 * zoomed.
 */
export function Overview() {
  const session = useSession();
  const hasRun = useExplorer(({ spec }) => spec !== null);
  const model = useMemo(() => overviewModel(session), [session]);
  return (
    <Part name="The overview">
      {hasRun && (
        <TimeStrip
          model={model}
          label="Visible part of the run"
          keys="Left and right arrows: move by a tenth, with Shift by a half. Plus and minus: zoom. Home and End: start and end of the run. Escape: whole run."
          title="Drag to move or select, scroll to zoom"
        />
      )}
    </Part>
  );
}

function overviewModel(session: Session): TimeStripModel {
  return {
    view: () => {
      const { history, marks, range, rateScale } = chartPicture(session);
      const whole = inNs(overviewRange(session));
      return { whole, shown: inNs(range), data: { history, rateScale }, marks: chartMarks(marks) };
    },
    inWords: () => {
      const { range, isVirtual } = chartPicture(session);
      const whole = overviewRange(session);
      const { unit, figure } = momentFormat(whole, isVirtual);
      return `${figure(range.fromS)} to ${figure(range.toS)} of ${figure(whole.toS)} ${unit}`;
    },
    subscribe: (onData) => session.history.subscribe(onData),
    concerns: (state, before) =>
      state.marks !== before.marks ||
      state.run_state !== before.run_state ||
      state.spec !== before.spec ||
      state.chart !== before.chart,
    pan: (byNs) => zoomCharts(session, moved(shownRange(session), byNs / 1e9)),
    zoom: (factor, aroundNs) => {
      const range = shownRange(session);
      const aroundS = aroundNs === undefined ? (range.fromS + range.toS) / 2 : aroundNs / 1e9;
      zoomCharts(session, scaledAround(range, aroundS, factor));
    },
    keyFactor: ZOOM_FACTOR,
    grab: (tNs, nsPerPx) => grab(session, tNs / 1e9, nsPerPx / 1e9),
    reset: () => {
      const isZoomed = session.store.getState().chart.zoom !== null;
      if (isZoomed) unzoomCharts(session);
      return isZoomed;
    },
  };
}

const inNs = ({ fromS, toS }: { fromS: number; toS: number }) => ({ fromNs: fromS * 1e9, toNs: toS * 1e9 });

/** Returns what a drag from a moment does: moves the window or one of its edges, or selects a range. */
function grab(session: Session, tS: number, sPerPx: number): (toNs: number) => void {
  const range = shownRange(session);
  const whole = overviewRange(session);
  const isNear = (edgeS: number) => Math.abs(tS - edgeS) <= EDGE_REACH_PX * sPerPx;
  const isAll = range.fromS <= whole.fromS && range.toS >= whole.toS;
  const isOnEdge = isNear(range.fromS) || isNear(range.toS);
  const movesWindow = !isOnEdge && !isAll && tS > range.fromS && tS < range.toS;
  const fixedS = !isOnEdge ? tS : isNear(range.fromS) ? range.toS : range.fromS;
  return (toNs) => {
    const toS = toNs / 1e9;
    const selected = { fromS: Math.min(fixedS, toS), toS: Math.max(fixedS, toS) };
    zoomCharts(session, movesWindow ? moved(range, toS - tS) : selected);
  };
}
