// Defines the commands for the run, its charts and its scenario.
import type { Design } from '../contract/design';
import type { CommandSource, Command } from './command-registry';
import { chartPicture, frozenPicture, unzoomCharts, zoomCharts } from './chart-picture';
import { scaledAround } from '../charts/chart-viewport';
import { presetTitle } from './designs';
import { linkToPassOn, type SharedLink } from './link';
import { refusalToStart } from './run-lock';
import type { Session } from './session';
import { allViews, canRun, missingHere, shownPlatform, type ExplorerState, type View } from './store';
import { lesson_paces, type PaceId } from '../contract/lesson';
import type { Manifest } from '../contract/manifest';
import { all_platforms, type Platform } from '../contract/platforms';
import { scenarioTitle } from '../contract/scenario-names';
import { canBeChosen, kinds_in_words } from '../contract/run-spec';

/** What these commands need from the browser. */
export interface CommandPorts {
  reload: () => Promise<void>;
  /** Shows the link in the address bar and copies it. Settles with a message for the reader. */
  copyLink: (shared: SharedLink) => Promise<string>;
}

/** One key and one button do all three: run, then pause, then resume. */
export function mainRunCommandId({ run_state }: ExplorerState): string {
  if (canRun(run_state)) return 'run.start';
  return run_state === 'paused' ? 'run.resume' : 'run.pause';
}

const WITHOUT_SOURCE = 'without the source, which is too long for a link: save it as a file instead';

export const knobCommandId = (knob: string, variant: string) => `knob.${knob}.${variant}`;
/** Opens the reader's latch of the next run where it was written, or the place to write one. */
export const LATCH_OF_RUN = 'lab.latch_of_run';
export const actionCommandId = (action: string) => `action.${action}`;
export const scenarioCommandId = (scenario: string) => `scenario.${scenario}`;
export const platformCommandId = (platform: Platform) => `platform.${platform}`;
export const designCommandId = (name: string) => `design.${name}`;

/**
 * Commands for designs, knobs, actions, scenarios, views, platforms and the pace of virtual time.
 */
export function scenarioCommands(session: Session): CommandSource {
  return {
    dependsOn: ({ scenario, scenarios }) => [scenario, scenarios],
    commands: ({ scenario, scenarios }) => {
      const { manifest } = scenario;
      const { knobs, designs, actions } = manifest;
      return [
        ...Object.entries(designs).map(([name, design]) =>
          designCommand(session, name, design, presetTitle(manifest, name)),
        ),
        ...knobs.flatMap((knob) =>
          knob.variants.map((variant) => ({
            id: knobCommandId(knob.id, variant.id),
            title: `${knob.title}: ${variant.title}`,
            isEnabled: ({ draft }: ExplorerState) => canBeChosen(variant, draft.latch),
            unlessEnabled: `write ${kinds_in_words[variant.needs ?? 'latch']} in the lab first`,
            execute: () => session.setKnob(knob.id, variant.id),
          })),
        ),
        ...actions.map((action) => ({
          id: actionCommandId(action.id),
          title: action.title,
          isEnabled: hasClients,
          unlessEnabled: 'no run is active',
          execute: () => session.fire(action.id),
        })),
        ...scenarios.map(({ manifest }) => ({
          id: scenarioCommandId(manifest.id),
          title: scenarioTitle(manifest),
          execute: () => session.openScenario(manifest.id, manifest.bug === undefined ? 'explorer' : 'stage'),
        })),
        ...allViews.map((view) => viewCommand(session, view)),
        ...all_platforms.map((platform) => platformCommand(session, platform)),
        ...paces.map((pace) => paceCommand(session, pace)),
      ];
    },
  };
}

function hasClients({ runLock, run_state }: ExplorerState): boolean {
  return runLock === 'going' && ['running', 'paused'].includes(run_state);
}

export const runCommands = (session: Session, { reload, copyLink }: CommandPorts): CommandSource => ({
  commands: () => [
    {
      id: 'run.start',
      title: 'Run',
      isEnabled: (state) =>
        refusalToStart(state) === null && missingHere(state).length === 0 && state.draftErrors.length === 0,
      unlessEnabled: 'a field is invalid, or this page cannot run it',
      whyNot: (state) => refusalToStart(state)?.message ?? null,
      execute: () => session.runDraft(),
    },
    {
      id: 'run.pause',
      title: 'Pause',
      isEnabled: ({ run_state, runLock }) => runLock === 'going' && run_state === 'running',
      unlessEnabled: 'no run is active',
      execute: () => session.pause(),
    },
    {
      id: 'run.resume',
      title: 'Resume',
      isEnabled: ({ run_state, runLock }) => runLock === 'going' && run_state === 'paused',
      unlessEnabled: 'no run is paused',
      execute: () => session.resume(),
    },
    {
      id: 'run.stop',
      title: 'Stop',
      isEnabled: ({ run_state, runLock, series }) =>
        series !== null || runLock === 'starting' || (runLock === 'going' && run_state !== 'stopping'),
      // Stopping only the current run would start the next one of the series.
      unlessEnabled: 'no run is active',
      execute: () => (session.store.getState().series === null ? session.stop() : session.cancelSeries()),
    },
    {
      id: 'run.step',
      title: 'Step 10 µs',
      isEnabled: canStep,
      unlessEnabled: 'only during a run on the virtual server',
      execute: () => session.step({ untilNextMultipleOfNs: STEP_NS }),
    },
    {
      id: 'run.step_event',
      title: 'Step 1 event',
      isEnabled: canStep,
      unlessEnabled: 'only during a run on the virtual server',
      execute: () => session.step({ events: 1 }),
    },
    {
      id: 'run.drop_actions',
      title: 'Next run: remove timed actions',
      isEnabled: ({ draft }) => draft.actions.length > 0,
      unlessEnabled: 'the next run has no timed actions',
      execute: () => session.editDraft({ actions: [] }),
    },
    {
      id: 'page.reload',
      title: 'Reload page',
      execute: reload,
    },
    {
      id: 'link.copy',
      title: 'Copy link',
      isEnabled: ({ draftSpec }) => draftSpec !== null,
      unlessEnabled: 'a field is invalid',
      execute: async () => {
        const shared = linkToPassOn(session.store.getState(), session.linkFields);
        if (shared === null) return;
        const copied = await copyLink(shared);
        session.store.setState({
          announcement: shared.isWithoutSource ? `${copied} ${WITHOUT_SOURCE}` : copied,
        });
      },
    },
  ],
});

const ZOOM_FACTOR = 2;

export const chartCommands = (session: Session): CommandSource => ({
  commands: () => [
    {
      id: 'chart.freeze',
      title: 'Freeze charts',
      isEnabled: hasRun,
      unlessEnabled: 'nothing has run yet',
      execute: () =>
        changeChart(session, ({ frozen }) => ({ frozen: frozen === null ? frozenPicture(session) : null })),
    },
    {
      id: 'chart.previous_run',
      title: 'Charts: toggle previous run',
      isEnabled: ({ previousRun }) => previousRun !== null,
      unlessEnabled: 'there is no previous run',
      execute: () =>
        changeChart(session, ({ isPreviousRunShown }) => ({ isPreviousRunShown: !isPreviousRunShown })),
    },
    {
      id: 'chart.log_scale',
      title: 'Charts: toggle log scale',
      isEnabled: hasRun,
      unlessEnabled: 'nothing has run yet',
      execute: () =>
        changeChart(session, () => ({
          rateScale: chartPicture(session).rateScale === 'log' ? 'linear' : 'log',
        })),
    },
    {
      id: 'chart.since_mark',
      title: 'Charts: toggle last mark',
      isEnabled: ({ marks }) => marks.length > 0,
      unlessEnabled: 'the run has no marks yet',
      execute: () => changeChart(session, ({ isSinceMark }) => ({ zoom: null, isSinceMark: !isSinceMark })),
    },
    {
      id: 'chart.zoom_in',
      title: 'Charts: zoom in',
      isEnabled: hasRun,
      unlessEnabled: 'nothing has run yet',
      execute: () => zoomBy(session, 1 / ZOOM_FACTOR),
    },
    {
      id: 'chart.zoom_out',
      title: 'Charts: zoom out',
      isEnabled: hasRun,
      unlessEnabled: 'nothing has run yet',
      execute: () => zoomBy(session, ZOOM_FACTOR),
    },
    {
      id: 'chart.whole_run',
      title: 'Charts: whole run',
      isEnabled: hasRun,
      unlessEnabled: 'nothing has run yet',
      execute: () => changeChart(session, () => ({ zoom: null, isSinceMark: false })),
    },
    {
      id: 'chart.unzoom',
      title: 'Charts: reset zoom',
      isEnabled: ({ chart }) => chart.zoom !== null,
      unlessEnabled: 'the charts are not zoomed',
      execute: () => unzoomCharts(session),
    },
    {
      id: 'chart.follow',
      title: 'Charts: follow the run',
      isEnabled: ({ chart }) => chart.zoom !== null || chart.frozen !== null,
      unlessEnabled: 'the charts already follow the run',
      execute: () => changeChart(session, () => ({ zoom: null, frozen: null })),
    },
  ],
});

type Chart = ExplorerState['chart'];

function changeChart({ store }: Session, change: (chart: Chart) => Partial<Chart>): void {
  store.setState(({ chart }) => ({ chart: { ...chart, ...change(chart) } }));
}

function hasRun({ spec }: ExplorerState): boolean {
  return spec !== null;
}

/** Zooms around the moment under the pointer, or else around the middle. */
function zoomBy(session: Session, factor: number): void {
  const { range } = chartPicture(session);
  const { tS } = session.pointing.getState();
  const isSeen = tS !== null && tS >= range.fromS && tS <= range.toS;
  zoomCharts(session, scaledAround(range, isSeen ? tS : (range.fromS + range.toS) / 2, factor));
}

/** A speed of virtual time. */
export interface Pace {
  id: PaceId;
  title: string;
  nsPerS: number | null;
}

const paceOfId: Record<PaceId, Omit<Pace, 'id'>> = {
  fast: { title: 'as fast as possible', nsPerS: null },
  '1s': { title: '1 s per second (real time)', nsPerS: 1e9 },
  '10ms': { title: '10 ms per second (1/100)', nsPerS: 1e7 },
  '1ms': { title: '1 ms per second (1/1,000)', nsPerS: 1e6 },
  '100us': { title: '100 µs per second (1/10,000)', nsPerS: 1e5 },
};
export const paces: readonly Pace[] = lesson_paces.map((id) => ({ id, ...paceOfId[id] }));
export const paceCommandId = (pace: string) => `pace.${pace}`;

const STEP_NS = 10_000;

// A step also pauses a running server.
function canStep(state: ExplorerState): boolean {
  return shownPlatform(state) === 'virtual' && hasClients(state);
}

function paceCommand(session: Session, { id, title, nsPerS }: Pace): Command {
  return {
    id: paceCommandId(id),
    title: `Pace: ${title}`,
    isEnabled: (state) => shownPlatform(state) === 'virtual',
    unlessEnabled: 'only on the virtual server',
    execute: () => session.setPace(nsPerS),
  };
}

const viewTitles: Record<View, string> = {
  front: 'All bugs',
  stage: 'Stage',
  explorer: 'Explorer',
  compare: 'Compare two designs',
  sweep: 'Sweep over threads',
  what_if: 'What if: curves and profile',
  lab: 'Latch lab: write your own',
  waits: 'Your waits: which latch stops your server',
  workload: 'Workload: write your own',
};
/** Says why a scenario lacks a view; null: it has it. */
function whyNoView(view: View, { bug, knobs }: Pick<Manifest, 'bug' | 'knobs'>): string | null {
  if (view === 'stage' && bug === undefined) return 'only bugs have a stage';
  return view === 'compare' && knobs.length === 0 ? 'there is only one design' : null;
}

export const hasView = (view: View, manifest: Pick<Manifest, 'bug' | 'knobs'>) =>
  whyNoView(view, manifest) === null;

export const viewCommandId = (view: View) => `view.${view}`;

function viewCommand(session: Session, view: View): Command {
  return {
    id: viewCommandId(view),
    title: viewTitles[view],
    isEnabled: ({ scenario }) => hasView(view, scenario.manifest),
    whyNot: ({ scenario }) => whyNoView(view, scenario.manifest),
    execute: () => session.openView(view),
  };
}

function platformCommand(session: Session, platform: Platform): Command {
  return {
    id: platformCommandId(platform),
    title: platform === 'threads' ? 'Platform: this machine' : 'Platform: virtual server',
    isEnabled: ({ missing }) => missing[platform].length === 0,
    unlessEnabled: 'this page cannot run it',
    execute: () => session.openPlatform(platform),
  };
}

function designCommand(session: Session, name: string, design: Design, title: string): Command {
  return {
    id: designCommandId(name),
    title: `Design: ${title}`,
    execute: () => session.setDesign(design),
  };
}
