import { useEffect, useRef, type KeyboardEvent, type MouseEvent } from 'react';
import { useErrorBoundary } from 'react-error-boundary';

import { walkLanes } from '../../analysis/walk-lanes';
import { LaneChart } from '../../charts/lane-chart';
import type { LaneSource } from '../../charts/lanes';
import { thread_states } from '../../contract/gen/telemetry-layout';
import type { BusyState } from '../../contract/time-shares';
import { drawOnChanges } from '../../widgets/draw-on-changes';
import { LaneLegend, laneStyles } from '../../widgets/lane-legend';
import { useSession } from '../../widgets/session-context';
import { useLab } from './lab';
import type { LabCheck } from './lab-state';
import type { LatchLab } from './latch-lab';

const LANE_REM = 1.75;
const AROUND_LANES_REM = 1;

const stateWords: Partial<Record<BusyState, string>> = {
  running: 'runs',
  spinning: 'runs, same place again',
  ready: 'runnable',
  waiting: 'sleeps',
  stalled: 'waits for its own stores',
};

interface WalkLanesProps {
  check: LabCheck;
  /** Screen readers announce it at each step. The picture describes the step's event. */
  momentInWords: string;
}

/**
 * Draws each thread as a lane and each step as a segment: the lanes of a run, with steps in place
 * of time.
 */
export function WalkLanes({ check: { walk, step: index }, momentInWords }: WalkLanesProps) {
  const lab = useLab();
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<LaneChart>(null);
  const session = useSession();
  const { showBoundary } = useErrorBoundary();
  useEffect(() => {
    const created = new LaneChart(host.current!, laneStyles, { row_px_max: remInPixels() * LANE_REM });
    chart.current = created;
    return drawOnChanges(session, created, {
      draw: () => drawWalk(created, lab),
      subscribe: () => () => undefined,
      concerns: (state, before) => state.lab.check !== before.lab.check,
      onFault: showBoundary,
    });
  }, [lab, session, showBoundary]);
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Partial<Record<string, number>> = {
      ...{ ArrowLeft: index - 1, ArrowDown: index - 1, ArrowRight: index + 1, ArrowUp: index + 1 },
      ...{ Home: 0, End: walk.length - 1 },
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    lab.lookAt(to);
  };
  const onClick = (event: MouseEvent) => {
    const time = chart.current?.timeAt(event.clientX - event.currentTarget.getBoundingClientRect().left);
    if (time != null) lab.lookAt(Math.round(time.tNs));
  };
  const { threads } = walk[index]!;
  return (
    <>
      <div
        ref={host}
        className="chart lane-chart lab-lanes"
        style={{ height: `${threads.length * LANE_REM + AROUND_LANES_REM}rem` }}
        role="slider"
        tabIndex={0}
        aria-label="Step"
        aria-valuemin={0}
        aria-valuemax={walk.length - 1}
        aria-valuenow={index}
        aria-valuetext={`Step ${index}: ${momentInWords}`}
        onKeyDown={onKeyDown}
        onClick={onClick}
      />
      <LaneLegend entries={entriesFor(walk)} />
    </>
  );
}

const remInPixels = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Returns the legend entries of states that occur in the walk. */
function entriesFor(walk: LabCheck['walk']) {
  const seen = new Set(walkLanes(walk).segments.map(({ state }) => thread_states[state]));
  return laneStyles.flatMap((style) =>
    seen.has(style.state) ? [{ ...style, name: stateWords[style.state] ?? style.state }] : [],
  );
}

function drawWalk(chart: LaneChart, lab: LatchLab): void {
  const { check } = lab.lab;
  if (check === null || check.walk.length === 0) return;
  const { walk, step: moment } = check;
  const { segments, holds, endsAt } = walkLanes(walk);
  const lanes: LaneSource = {
    knownFromNs: 0,
    visitSince: (fromNs, visit) => {
      for (const segment of segments.toReversed()) if (segment.to_ns > fromNs) visit(segment);
    },
  };
  chart.draw({
    ...{ lanes, holds, firstRow: 0, nowNs: endsAt, range: { fromNs: 0, toNs: endsAt } },
    threads: walk[0]!.threads.map(({ number }) => ({
      ...{ slot: number - 1, name: `thread ${number}`, state: thread_states.indexOf('absent') },
    })),
  });
  const { thread } = walk[moment]!;
  chart.drawCursor({
    tNs: moment,
    span:
      thread === null
        ? null
        : { slot: thread - 1, fromNs: moment - 1, toNs: moment, holder: null, holds: [] },
  });
}
