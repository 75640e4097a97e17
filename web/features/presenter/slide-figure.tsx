import { useLayoutEffect, useState, type ReactNode } from 'react';

import { queuePicture, SAMPLES_OF_PICTURE, type QueuePicture } from '../../analysis/client-queue';
import { formatVirtualTime } from '../../analysis/format';
import type { ClientQueue } from '../../contract/client-queue';
import type { StateCounts } from '../../contract/live-view';
import type { LessonPlace } from '../../contract/lesson';
import { useExplorer, useInFrame, useSession } from '../../widgets/session-context';
import { ClientTimeFigure } from './client-time-figure';
import { CounterFigure } from './counter-figure';
import { LatchFigure } from './latch-figure';
import { LatencyFigure, ThroughputFigure } from './run-chart';
import type { SlideShow } from './slide-show';
import type { Slide } from './slides';

/** Panels of the page that slides enlarge. */
export interface PanelsOfSlides {
  queue: (picture: QueuePicture | null, clients: number) => ReactNode;
  picture: ReactNode;
  walk: ReactNode;
  lanes: ReactNode;
  chain: ReactNode;
  /** Returns the evidence of a place. */
  evidence: (place: LessonPlace) => ReactNode;
}

interface SlideFigureProps {
  show: SlideShow;
  slide: Slide;
  panels: PanelsOfSlides;
}

/** Fills the rest of a slide with its figure. */
export function SlideFigure(props: SlideFigureProps) {
  return (
    <div className="slide-figure" data-place={props.slide.kind === 'look' ? props.slide.place : undefined}>
      {figureOf(props)}
    </div>
  );
}

function figureOf({ show, slide, panels }: SlideFigureProps): ReactNode {
  switch (slide.kind) {
    case 'answer':
      return <LongestQueue show={show} drawQueue={panels.queue} />;
    case 'task':
      return slide.content.explain === null ? (
        <ThroughputFigure show={show} />
      ) : (
        <Enlarged>{panels.lanes}</Enlarged>
      );
    case 'picture':
      return <Enlarged by={ENLARGEMENT_OF_PICTURE}>{panels.picture}</Enlarged>;
    case 'walk':
      return (
        <>
          <Enlarged>{panels.walk}</Enlarged>
          <Enlarged>{panels.lanes}</Enlarged>
        </>
      );
    case 'look':
      return figureOfPlace({ show, slide, panels });
    default:
      return null;
  }
}

function figureOfPlace({
  show,
  slide,
  panels,
}: SlideFigureProps & { slide: Extract<Slide, { kind: 'look' }> }): ReactNode {
  switch (slide.place) {
    case 'throughput':
      return <ThroughputFigure show={show} />;
    case 'latency':
      return <LatencyFigure show={show} />;
    case 'time':
      return <ClientTimeFigure />;
    case 'evidence.latches':
      return <LatchFigure words={slide.words} />;
    case 'evidence.counters':
      return <CounterFigure words={slide.words} />;
    case 'lanes':
      return <Enlarged>{panels.lanes}</Enlarged>;
    case 'evidence.chain':
    case 'chain.states':
    case 'chain.whole':
      return <Enlarged>{panels.chain}</Enlarged>;
    case 'design':
    case 'tiles':
    case 'actions':
    case 'log':
      return <ThroughputFigure show={show} />;
    case 'evidence.server_log':
      return <Enlarged by={ENLARGEMENT_OF_LOG}>{panels.evidence(slide.place)}</Enlarged>;
    default:
      return <Enlarged>{panels.evidence(slide.place)}</Enlarged>;
  }
}

interface LongestQueueProps {
  show: SlideShow;
  drawQueue: PanelsOfSlides['queue'];
}

/** Shows the queue since the last change of the run, at the moment at which it was longest. */
function LongestQueue({ show: { recorded }, drawQueue }: LongestQueueProps) {
  const { shownRun } = useSession();
  const clients = useExplorer(({ spec }) => spec?.threads ?? 0);
  const marks = useExplorer((state) => state.marks);
  // New samples come with these.
  useInFrame((state) => state.live);
  useExplorer((state) => state.run_state);
  const sinceS = (marks.findLast(({ kind }) => kind === 'knob' || kind === 'action')?.run_ns ?? 0) / 1e9;
  const picture =
    recorded === null
      ? longestQueue(shownRun.queues.samples, sinceS)
      : longestOf(recorded.course.pictures, ({ tS, states }) =>
          tS > recorded.fromS && tS <= recorded.toS ? blockedOf(states) : -1,
        );
  return (
    <>
      {picture !== null && (
        <p className="slide-caption">The queue at its longest, at {formatVirtualTime(picture.tS)}</p>
      )}
      <Enlarged by={ENLARGEMENT_OF_QUEUE}>{drawQueue(picture, clients)}</Enlarged>
    </>
  );
}

function longestQueue(samples: readonly ClientQueue[], sinceS: number): QueuePicture | null {
  const longest = longestOf(samples, ({ t_s, states }) => (t_s > sinceS ? blockedOf(states) : -1));
  const end = longest === null ? 0 : samples.indexOf(longest) + 1;
  return queuePicture(samples.slice(Math.max(0, end - SAMPLES_OF_PICTURE), end));
}

const blockedOf = ({ spinning = 0, waiting = 0, following = 0 }: StateCounts) =>
  spinning + waiting + following;

/** Returns the last entry with the largest value; null if none has a value of 0 or more. */
function longestOf<Entry>(entries: readonly Entry[], valueOf: (entry: Entry) => number): Entry | null {
  let [longest, most]: [Entry | null, number] = [null, 0];
  for (const entry of entries) {
    const value = valueOf(entry);
    if (value >= most) [longest, most] = [entry, value];
  }
  return longest;
}

/** A projector's slide has this size, in pixels; the texts of a panel are then this many times larger. */
const [WIDTH, HEIGHT, ENLARGEMENT] = [1920, 1080, 2.16];
/** These have no small texts. */
const ENLARGEMENT_OF_QUEUE = 1.7;
const ENLARGEMENT_OF_PICTURE = 1.62;
const ENLARGEMENT_OF_LOG = 2.7;
const SMALLEST = 0.6;

/** Shows a panel of the page in the size of a slide's texts. */
function Enlarged({ by = ENLARGEMENT, children }: { by?: number; children: ReactNode }) {
  const [zoom, setZoom] = useState(1);
  useLayoutEffect(() => {
    const measure = () => {
      const part = Math.min(innerWidth / WIDTH, innerHeight / HEIGHT);
      // A phone held upright is read from near; a small wide window is a slide far away.
      const least = innerWidth > innerHeight ? SMALLEST : 1;
      setZoom(Math.max(least, part * by));
    };
    measure();
    addEventListener('resize', measure);
    return () => {
      removeEventListener('resize', measure);
    };
  }, [by]);
  return (
    <div className="slide-enlarged" style={{ zoom }}>
      {children}
    </div>
  );
}
