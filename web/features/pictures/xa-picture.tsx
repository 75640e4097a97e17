// Draws the picture of bug #99638: XA COMMITs that wait behind one leader.
import { formatDurationNs, formatFigure, formatPerOperation, formatShare } from '../../analysis/format';
import {
  KNOB,
  waitTimeline,
  waitVariants,
  type Stretch,
  type WaitTimeline,
  type WaitVariant,
} from '../../analysis/pictures/gtid-train';
import type { PhaseFigures } from '../../analysis/pictures/phase-figures';
import { busiestTrack } from '../../analysis/pictures/occupation';
import { barRow } from '../../charts/pictures/bar-rows';
import { trainChart } from '../../charts/pictures/train-chart';
import { thread_states } from '../../contract/gen/telemetry-layout';
import type { Manifest } from '../../contract/manifest';
import { defaultRunSpec } from '../../contract/run-spec';
import { knobCommandId } from '../../session/commands';
import { unlessRefused } from '../../session/command-registry';
import type { Session } from '../../session/session';
import { isLive } from '../../session/store';
import { CommandButton } from '../../widgets/command-button';
import { useExplorer, useSession } from '../../widgets/session-context';
import { clientsSlider, drawingOf, figuresOf, type DrawnPicture, type PictureOfBug } from './picture';

/** Five clock checks of the leader, a millisecond apart. */
const SHOWN_NS = 5.5e6;
const PERSISTER = 'Clone_persist_gtid';

export const xaPicture: PictureOfBug = {
  title: 'A commit group behind a leader that polls',
  promise:
    'Run to see the commit group, when its leader polls, when the GTIDs were saved, and the time of one XA COMMIT per variant.',
  draw: ({ session, phases, manifest }) => {
    const drawn = drawXa(phases, timelineIn(session, phases.at(-1)), manifest);
    return drawn && { ...drawn, more: <RunVariants missing={missingIn(phases, manifest)} /> };
  },
  slider: clientsSlider(
    [1, 10, 25, 50, 100, 200, 400],
    () => ({ interval_s: 0.25, duration_s: 2 }),
    'XA clients',
  ),
};

const variantsOf = ({ knobs }: Manifest) => knobs.find(({ id }) => id === KNOB)!.variants;

const missingIn = (phases: readonly PhaseFigures[], manifest: Manifest) => {
  const seen = waitVariants(phases);
  return variantsOf(manifest).filter(({ id }) => seen.every(({ variant }) => variant !== id));
};

/** Returns null while no XA COMMIT has ended. */
export function drawXa(
  phases: readonly PhaseFigures[],
  timeline: WaitTimeline | null,
  manifest: Manifest,
): DrawnPicture | null {
  const seen = waitVariants(phases);
  const now = seen.at(-1);
  if (now === undefined) return null;
  const variants = variantsOf(manifest);
  const bars = variants.map(({ id, title }) => {
    const measured = seen.find(({ variant }) => variant === id);
    const kind = measured === now ? 'now' : 'before';
    return barRow(kind, title, measured?.commitNs ?? null, formatDurationNs, 'not run yet');
  });
  const titleNow = variants.find(({ id }) => id === now.variant)!.title;
  return {
    words: inWords(now, titleNow, timeline),
    figures: [
      { name: 'Members of a commit group, mean', value: formatFigure(now.membersPerGroup) },
      { name: 'Waits for the persister per XA COMMIT', value: formatPerOperation(now.waitsPerCommit) },
      { name: 'Polls per wait', value: formatPerOperation(now.looksPerWait) },
      {
        name: 'Share of sleep after the GTIDs were saved',
        value: timeline === null ? 'unknown' : formatShare(timeline.unseenNs / timeline.napNs),
      },
      ...figuresOf(bars, (name) => `One XA COMMIT: ${name}`),
    ],
    outcome: `${formatDurationNs(now.commitNs)} for one XA COMMIT`,
    drawing: drawingOf(trainChart, 'train', 'Commit group, leader polls and variants', {
      train: {
        title:
          now.membersPerGroup === null
            ? 'No commit group has finished yet'
            : `A commit group: ${formatFigure(now.membersPerGroup)} members`,
        members: now.membersPerGroup ?? 0,
      },
      timeline: {
        title: 'When the leader polls',
        seen: timeline,
        nothing: nothingText(now),
        spanText: timeline === null ? '' : formatDurationNs(timeline.toNs - timeline.fromNs),
      },
      bars: { title: 'Time for one XA COMMIT, logarithmic', rows: bars, scale: 'log' },
    }),
  };
}

const nothingText = ({ waitsPerCommit }: WaitVariant) =>
  waitsPerCommit === 0 ? 'No thread waits for the persister.' : 'Unknown: the leader was not seen asleep.';

function inWords(now: WaitVariant, title: string, timeline: WaitTimeline | null): string {
  const { membersPerGroup, waitsPerCommit, looksPerWait, commitNs } = now;
  const group =
    membersPerGroup === null ? '' : ` A commit group has ${formatFigure(membersPerGroup)} members.`;
  const one = `With “${title}”, one XA COMMIT takes ${formatDurationNs(commitNs)}.${group}`;
  if (waitsPerCommit === 0) return `${one} No thread waits for the persister.`;
  const waits = `${one} Per XA COMMIT the leader waits ${formatPerOperation(waitsPerCommit)} times and polls ${formatPerOperation(looksPerWait)} times per wait.`;
  if (timeline === null) return waits;
  return `${waits} During ${formatShare(timeline.unseenNs / timeline.napNs)} of its sleep, the GTIDs were already saved.`;
}

/**
 * Returns the timeline of the last leader that held LOCK_commit: its naps and the persister's work.
 */
function timelineIn(session: Session, phase: PhaseFigures | undefined): WaitTimeline | null {
  const now = session.lanesNow();
  if (now === null || phase === undefined) return null;
  const { names, threads } = now;
  const hold = busiestTrack(session.latchTrace.tracks, 'LOCK_commit', names)?.holds.findLast(
    ({ fromNs, toNs }) => fromNs < phase.untilNs && (toNs ?? phase.untilNs) - fromNs > SHOWN_NS / 2,
  );
  const persister = threads.find(
    ({ beganWith }) => names.functions[beganWith ?? -1]?.startsWith(PERSISTER) === true,
  );
  if (hold === undefined || persister === undefined) return null;
  const toNs = Math.min(hold.toNs ?? phase.untilNs, phase.untilNs);
  const window = { fromNs: Math.max(hold.fromNs, toNs - SHOWN_NS), toNs };
  const [naps, flushes]: [Stretch[], Stretch[]] = [[], []];
  session.lanes.visitSince(window.fromNs, ({ slot, state, from_ns, to_ns: untilNs }) => {
    const isAsleep = thread_states[state] === 'sleeping';
    if (slot === hold.slot && isAsleep) naps.push({ fromNs: from_ns, toNs: untilNs });
    if (slot === persister.slot && !isAsleep) flushes.push({ fromNs: from_ns, toNs: untilNs });
  });
  return waitTimeline(window, naps, flushes);
}

/** Seconds to measure each variant if all of them follow in one run, in the manifest's order. */
const allVariantsS = [2, 1, 1, 0.3, 0.3, 0.2];

function RunVariants({ missing }: { missing: Manifest['knobs'][number]['variants'] }) {
  const session = useSession();
  const isRunLive = useExplorer(({ run_state }) => isLive(run_state));
  if (missing.length === 0) return null;
  return (
    <div className="picture-buttons" role="group" aria-label="Variants not run yet">
      {isRunLive &&
        missing.map(({ id, title }) => (
          <CommandButton key={id} command={knobCommandId(KNOB, id)} className="button-preset">
            Run: {title}
          </CommandButton>
        ))}
      <button
        type="button"
        className="button button-preset"
        onClick={() => {
          void unlessRefused(() => session.startRun(allVariantsRun(session)));
        }}
      >
        Run all six in turn
      </button>
    </div>
  );
}

function allVariantsRun({ store }: Session) {
  const { scenario, machine, draft } = store.getState();
  const { manifest } = scenario;
  const [first, ...others] = variantsOf(manifest);
  let atS = 0;
  const actions = others.map(({ id }, i) => ({
    at_s: (atS += allVariantsS[i] ?? 1),
    knob: KNOB,
    variant: id,
  }));
  return defaultRunSpec(manifest, machine, 'virtual', {
    design: { [KNOB]: first!.id },
    threads: draft.threads,
    interval_s: 0.25,
    duration_s: atS + allVariantsS.at(-1)!,
    actions,
  });
}
