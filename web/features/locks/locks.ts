// Declares latches and threads at one moment of a run on the virtual server as a feature. The views
// and the moment itself (moment-cursor.ts) load when first shown.
import { defaultRunSpec, type Machine, type RunSpec } from '../../contract/run-spec';
import type { Manifest } from '../../contract/manifest';
import type { LaneOrder } from '../../analysis/lane-order';
import type { Followed } from '../../analysis/latch-moment';
import type { CommandSource } from '../../session/command-registry';
import type { Session } from '../../session/session';
import { followedTitles, orderTitles, type Locks, type LocksSlice, type MomentControls } from './locks-state';
import type { ExplorerState } from '../../session/store';

export const locksAtFirst: LocksSlice = {
  locks: {
    order: 'wait',
    followed: 'every_event',
    isPlaying: false,
    latch: null,
    hasEvents: false,
    holdsMoment: false,
  },
};

const hasEvents = ({ locks }: ExplorerState) => locks.hasEvents;
const UNLESS_ENABLED = 'no latch events yet; they need a run on the virtual server';
const isShown = ({ spec, draft }: ExplorerState) => spec !== null && draft.platform === 'virtual';
const UNLESS_SHOWN = 'needs a run on the virtual server';

/** The shown run on real threads, or the next one. */
const specOnThreads = ({ spec, draftSpec }: ExplorerState) => spec ?? draftSpec;

function canBeVirtual(state: ExplorerState): boolean {
  const { missing, draft } = state;
  return draft.platform === 'threads' && missing.virtual.length === 0 && specOnThreads(state) !== null;
}

/**
 * Converts a run on real threads to a run on the virtual server. Keeps design, clients, seed,
 * parameters and steps. Replaces each second with the sample of virtual time that represents a
 * second.
 */
function onVirtualServer(spec: RunSpec, manifest: Manifest, machine: Machine): RunSpec {
  const { design, threads, seed, parameters, actions, duration_s } = spec;
  const { interval_s = 1 } = defaultRunSpec(manifest, machine, 'virtual');
  return defaultRunSpec(manifest, machine, 'virtual', {
    design,
    threads,
    seed,
    parameters,
    actions: actions.map((action) => ({ ...action, at_s: action.at_s * interval_s })),
    duration_s: duration_s === null ? null : duration_s * interval_s,
  });
}

export const locksCommands = (locks: Locks, session: Session): CommandSource => ({
  commands: () => {
    const atEvent = (id: string, title: string, execute: (moment: MomentControls) => void) => ({
      id: `locks.${id}`,
      title: `Latches: ${title}`,
      isEnabled: hasEvents,
      unlessEnabled: UNLESS_ENABLED,
      execute: () => {
        if (locks.moment !== null) execute(locks.moment);
      },
    });
    const view = (id: string, title: string, execute: (moment: MomentControls) => void) => ({
      ...atEvent(id, title, execute),
      isEnabled: isShown,
      unlessEnabled: UNLESS_SHOWN,
    });
    return [
      atEvent('step_back', 'previous event', (moment) => {
        moment.step(-1);
      }),
      atEvent('step_forward', 'next event', (moment) => {
        moment.step(1);
      }),
      {
        ...atEvent('play', 'play or stop', (moment) => moment.togglePlay()),
        whyNot: () =>
          locks.moment?.mayPlay() === false ? 'this device prefers reduced motion; step instead' : null,
        isEnabled: (state: ExplorerState) => hasEvents(state) && locks.moment?.mayPlay() !== false,
      },
      ...(Object.keys(followedTitles) as Followed[]).map((followed) =>
        atEvent(`follow.${followed}`, `step along ${followedTitles[followed]}`, (moment) =>
          moment.follow(followed),
        ),
      ),
      ...(Object.keys(orderTitles) as LaneOrder[]).map((order) =>
        view(`order.${order}`, `lanes by ${orderTitles[order]}`, (moment) => moment.sortBy(order)),
      ),
      view('zoom_in', 'show less time', (moment) => moment.zoom(0.5)),
      view('zoom_out', 'show more time', (moment) => moment.zoom(2)),
      view('follow_run', 'follow the run', (moment) => moment.lookAway()),
      {
        id: 'locks.on_virtual_server',
        title: 'Run on the virtual server',
        isEnabled: canBeVirtual,
        unlessEnabled: 'a field is invalid, or this page cannot run the virtual server',
        execute: async () => {
          const state = session.store.getState();
          const spec = specOnThreads(state);
          if (spec === null) return;
          await session.startRun(onVirtualServer(spec, state.scenario.manifest, state.machine));
        },
      },
    ];
  },
});
