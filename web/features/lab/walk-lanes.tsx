import { useEffect, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { useErrorBoundary } from 'react-error-boundary';

import { AFTER_THE_LAST, walkLanes } from '../../analysis/walk-lanes';
import { LaneChart } from '../../charts/lane-chart';
import type { LaneSource } from '../../charts/lanes';
import { thread_states } from '../../contract/gen/telemetry-layout';
import type { BusyState } from '../../contract/time-shares';
import { drawOnChanges } from '../../widgets/draw-on-changes';
import { LaneLegend, laneStyles } from '../../widgets/lane-legend';
import { useSession } from '../../widgets/session-context';
import type { WalkStep } from '../../analysis/latch-walk';
import { useLab } from './lab';
import type { LabCheck } from './lab-state';
import type { LatchLab } from './latch-lab';
import { stepWidthRem, walkWindow, type WalkWindow } from './walk-window';

const LANE_REM = 3.75;
const AROUND_LANES_REM = 1;
/** Margins of the lanes, as in web/charts/canvas-chart.ts. */
const [LEFT_REM, RIGHT_REM, TOP_REM] = [4.2, 0.9, 0.7];

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
 * Draws each thread as a lane and each step as a segment, with the values that it read and wrote.
 * They are the lanes of a run, with steps in place of time.
 */
export function WalkLanes({ check: { walk, step: index }, momentInWords }: WalkLanesProps) {
  const lab = useLab();
  const host = useRef<HTMLDivElement>(null);
  const [widthPx, setWidthPx] = useState(0);
  const plotRem = widthPx / remInPixels() - LEFT_REM - RIGHT_REM;
  const fit = Math.floor(plotRem / stepWidthRem(walk) - AFTER_THE_LAST);
  const { from, to } = walkWindow(walk.length - 1, index, fit);
  const drawn = useRef<WalkWindow>({ from, to });
  const chart = useRef<LaneChart>(null);
  const session = useSession();
  const { showBoundary } = useErrorBoundary();
  useEffect(() => {
    const created = new LaneChart(host.current!, laneStyles, { row_px_max: remInPixels() * LANE_REM });
    chart.current = created;
    return drawOnChanges(session, created, {
      draw: () => drawWalk(created, lab, drawn.current),
      subscribe: (onSize) => {
        const fitHost = () => {
          setWidthPx(host.current?.clientWidth ?? 0);
          onSize();
        };
        fitHost();
        const observer = new ResizeObserver(fitHost);
        observer.observe(host.current!);
        return () => observer.disconnect();
      },
      concerns: (state, before) => state.lab.check !== before.lab.check,
      onFault: showBoundary,
    });
  }, [lab, session, showBoundary]);
  useEffect(() => {
    drawn.current = { from, to };
    if (chart.current !== null) drawWalk(chart.current, lab, drawn.current);
  }, [lab, from, to]);
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
    if (time != null) lab.lookAt(Math.ceil(time.tNs));
  };
  const { threads } = walk[index]!;
  return (
    <>
      <div
        className="lab-lanes"
        role="slider"
        tabIndex={0}
        aria-label="Step"
        aria-valuemin={0}
        aria-valuemax={walk.length - 1}
        aria-valuenow={index}
        aria-valuetext={`Step ${index}: ${valuesInWords(walk[index]!)}${momentInWords}`}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div
          ref={host}
          className="chart lane-chart"
          style={{ height: `${threads.length * LANE_REM + AROUND_LANES_REM}rem` }}
        />
        <StepValues walk={walk} index={index} shown={{ from, to }} />
      </div>
      <LaneLegend entries={entriesFor(walk)} />
      {to - from < walk.length - 1 && (
        <p className="lab-shown-steps">
          {to - from === 1 ? `Step ${to}` : `Steps ${from + 1} to ${to}`} of {walk.length - 1}
        </p>
      )}
    </>
  );
}

const valuesInWords = ({ thread, values: [word, ...values] }: WalkStep) =>
  thread === null ? '' : `thread ${thread}, ${word} ${values.join(', ')}. `;

/** Lies above the lanes. The slider's text gives the values to screen readers. */
function StepValues({
  walk,
  index,
  shown: { from, to },
}: {
  walk: LabCheck['walk'];
  index: number;
  shown: WalkWindow;
}) {
  const width = `(100% - ${LEFT_REM + RIGHT_REM}rem) / ${to - from + AFTER_THE_LAST}`;
  return walk.slice(from + 1, to + 1).map(({ thread, values: [word, ...values] }, place) => {
    const step = from + 1 + place;
    return (
      <div
        key={step}
        className="lab-step"
        data-shown={step === index}
        style={{
          left: `calc(${LEFT_REM}rem + ${place} * ${width})`,
          width: `calc(${width})`,
          top: `${TOP_REM + (thread! - 1) * LANE_REM}rem`,
          height: `${LANE_REM}rem`,
        }}
      >
        <span className="lab-step-word">{word}</span>
        {values.map((value) => (
          <span key={value}>{value}</span>
        ))}
      </div>
    );
  });
}

const remInPixels = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

/** Returns the legend entries of states that occur in the walk. */
function entriesFor(walk: LabCheck['walk']) {
  const seen = new Set(walkLanes(walk).segments.map(({ state }) => thread_states[state]));
  return laneStyles.flatMap((style) =>
    seen.has(style.state) ? [{ ...style, name: stateWords[style.state] ?? style.state }] : [],
  );
}

function drawWalk(chart: LaneChart, lab: LatchLab, shown: WalkWindow): void {
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
    ...{
      lanes,
      holds,
      firstRow: 0,
      nowNs: endsAt,
      range: { fromNs: shown.from, toNs: shown.to + AFTER_THE_LAST },
    },
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
