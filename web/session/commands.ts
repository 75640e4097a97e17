// What a reader can do, each thing under one id: buttons, window.latchscope.execute and later the command palette all
// go through this list.
import { CommandRefused, EngineFailure } from '../engine-client/engine';
import { chartPicture, frozenPicture, unzoomCharts, zoomCharts } from './chart-picture';
import { scaledAround, wholeRange } from '../charts/chart-viewport';
import { experiment_commands } from '../features/experiments/experiment-commands';
import { settingsShown } from '../features/experiments/experiments';
import { evidenceCommands } from '../features/evidence/evidence';
import { guidanceCommands } from '../features/lessons/guidance-commands';
import { page_commands } from '../shell/page-commands';
import { formatLink, guidanceShown } from './link';
import { reload } from '../browser/offline';
import { refusalToStart } from './run-turn';
import type { Session } from './session';
import { export_commands, file_commands } from '../features/files/take-away-commands';
import {
  all_views,
  canRun,
  missingHere,
  shownPlatform,
  type ExplorerState,
  type Theme,
  type View,
} from './store';
import { all_platforms, type Platform } from '../contract/platforms';

export interface Command {
  id: string;
  title: string;
  isEnabled: (state: ExplorerState) => boolean;
  /** Why it cannot be done while it is not enabled. */
  unless_enabled?: string;
  /** The same, where it depends. */
  whyNot?: (state: ExplorerState) => string | null;
  execute: (session: Session) => Promise<void> | void;
}

/** Why a command cannot be done now; null if it can. */
export function reasonAgainst(command: Command, state: ExplorerState): string | null {
  if (command.isEnabled(state)) return null;
  return command.whyNot?.(state) ?? command.unless_enabled ?? 'not now';
}

export function commandsOf(state: ExplorerState): Command[] {
  const { scenario, scenarios } = state;
  const { knobs, designs, actions } = scenario.manifest;
  return [
    ...run_commands,
    ...chart_commands,
    ...experiment_commands,
    ...Object.entries(designs).map(([name, design]) => designCommand(name, design)),
    ...knobs.flatMap((knob) =>
      knob.variants.map((variant) => ({
        id: knobCommandId(knob.id, variant.id),
        title: `${knob.title}: ${variant.title}`,
        isEnabled: () => true,
        execute: (session: Session) => session.setKnob(knob.id, variant.id),
      })),
    ),
    ...actions.map((action) => ({
      id: actionCommandId(action.id),
      title: action.title,
      isEnabled: hasClients,
      unless_enabled: 'no run goes on',
      execute: (session: Session) => session.fire(action.id),
    })),
    ...scenarios.map(({ manifest }) => ({
      id: scenarioCommandId(manifest.id),
      title: `Bug #${manifest.bug}: ${manifest.title}`,
      isEnabled: () => true,
      execute: (session: Session) => session.openScenario(manifest.id),
    })),
    ...all_views.map(viewCommand),
    ...all_platforms.map(platformCommand),
    ...paces.map(paceCommand),
    ...(['system', 'light', 'dark'] as const).map(themeCommand),
    ...evidenceCommands(scenario.manifest),
    ...guidanceCommands(state),
    ...page_commands,
    ...export_commands,
    ...file_commands,
  ];
}

export function findCommand(state: ExplorerState, id: string): Command {
  const command = commandsOf(state).find((candidate) => candidate.id === id);
  if (command === undefined) throw new Error(`There is no command ${id}.`);
  return command;
}

/** Executes a command for a button: what the page already shows to the reader is not an error of the page. */
export async function perform(command: Command, session: Session): Promise<void> {
  try {
    await command.execute(session);
  } catch (error) {
    if (!(error instanceof CommandRefused || error instanceof EngineFailure)) throw error;
  }
}

/** One key and one button for all three: run, then pause, then resume. */
export function mainRunCommandId({ run_state }: ExplorerState): string {
  if (canRun(run_state)) return 'run.start';
  return run_state === 'paused' ? 'run.resume' : 'run.pause';
}

const next_theme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
export const nextThemeCommandId = ({ theme }: ExplorerState) => `theme.${next_theme[theme]}`;

export const knobCommandId = (knob: string, variant: string) => `knob.${knob}.${variant}`;
export const actionCommandId = (action: string) => `action.${action}`;
export const scenarioCommandId = (scenario: string) => `scenario.${scenario}`;
export const platformCommandId = (platform: Platform) => `platform.${platform}`;
export const designCommandId = (name: string) => `design.${name}`;

function hasClients({ turn, run_state }: ExplorerState): boolean {
  return turn === 'going' && ['running', 'paused'].includes(run_state);
}

const run_commands: Command[] = [
  {
    id: 'run.start',
    title: 'Run',
    isEnabled: (state) =>
      refusalToStart(state) === null && missingHere(state).length === 0 && state.draft_errors.length === 0,
    unless_enabled: 'a field is wrong, or this page cannot run it',
    whyNot: (state) => refusalToStart(state)?.message ?? null,
    execute: (session) => session.runDraft(),
  },
  {
    id: 'run.pause',
    title: 'Pause',
    isEnabled: ({ run_state, turn }) => turn === 'going' && run_state === 'running',
    unless_enabled: 'no run goes on',
    execute: (session) => session.pause(),
  },
  {
    id: 'run.resume',
    title: 'Resume',
    isEnabled: ({ run_state, turn }) => turn === 'going' && run_state === 'paused',
    unless_enabled: 'no run is paused',
    execute: (session) => session.resume(),
  },
  {
    id: 'run.stop',
    title: 'Stop',
    isEnabled: ({ run_state, turn, batch }) =>
      batch !== null || turn === 'starting' || (turn === 'going' && run_state !== 'stopping'),
    // A comparison whose run was stopped would go on with the next one.
    unless_enabled: 'no run goes on',
    execute: (session) =>
      session.store.getState().batch === null ? session.stop() : session.experiments.cancel(),
  },
  {
    id: 'run.step',
    title: 'Step 10 µs',
    isEnabled: canStep,
    unless_enabled: 'only while a run goes on on the virtual server',
    execute: (session) => session.step({ until_next_multiple_of_ns: STEP_NS }),
  },
  {
    id: 'run.step_event',
    title: 'Step 1 event',
    isEnabled: canStep,
    unless_enabled: 'only while a run goes on on the virtual server',
    execute: (session) => session.step({ events: 1 }),
  },
  {
    id: 'page.reload',
    title: 'Reload the page',
    isEnabled: () => true,
    execute: reload,
  },
  {
    id: 'link.copy',
    title: 'Copy link',
    isEnabled: ({ draft_spec }) => draft_spec !== null,
    unless_enabled: 'a field is wrong',
    execute: copyLink,
  },
];

const ZOOM_FACTOR = 2;

const chart_commands: Command[] = [
  {
    id: 'chart.freeze',
    title: 'Freeze the charts',
    isEnabled: hasRun,
    unless_enabled: 'nothing was run yet',
    execute: (session) => {
      const { chart } = session.store.getState();
      const frozen = chart.frozen === null ? frozenPicture(session) : null;
      session.store.setState({ chart: { ...chart, frozen } });
    },
  },
  {
    id: 'chart.ghost',
    title: 'Charts: the run before',
    isEnabled: ({ run_before }) => run_before !== null,
    unless_enabled: 'no run came before',
    execute: ({ store }) => {
      const { chart } = store.getState();
      store.setState({ chart: { ...chart, is_ghost_shown: !chart.is_ghost_shown } });
    },
  },
  {
    id: 'chart.zoom_in',
    title: 'Charts: zoom in',
    isEnabled: hasRun,
    unless_enabled: 'nothing was run yet',
    execute: (session) => {
      zoomBy(session, 1 / ZOOM_FACTOR);
    },
  },
  {
    id: 'chart.zoom_out',
    title: 'Charts: zoom out',
    isEnabled: hasRun,
    unless_enabled: 'nothing was run yet',
    execute: (session) => {
      zoomBy(session, ZOOM_FACTOR);
    },
  },
  {
    id: 'chart.whole_run',
    title: 'Charts: the whole run',
    isEnabled: hasRun,
    unless_enabled: 'nothing was run yet',
    execute: (session) => {
      const { history, range_by_itself } = chartPicture(session);
      zoomCharts(session, wholeRange(history, range_by_itself));
    },
  },
  {
    id: 'chart.unzoom',
    title: 'Charts: no zoom',
    isEnabled: ({ chart }) => chart.zoom !== null,
    unless_enabled: 'the charts are not zoomed',
    execute: unzoomCharts,
  },
  {
    id: 'chart.follow',
    title: 'Charts: follow the run',
    isEnabled: ({ chart }) => chart.zoom !== null || chart.frozen !== null,
    unless_enabled: 'the charts follow the run',
    execute: ({ store }) => {
      store.setState({ chart: { ...store.getState().chart, zoom: null, frozen: null } });
    },
  },
];

function hasRun({ spec }: ExplorerState): boolean {
  return spec !== null;
}

/** Around the moment that is pointed at, or else around the middle. */
function zoomBy(session: Session, factor: number): void {
  const { range } = chartPicture(session);
  const { t_s } = session.pointing.getState();
  const is_seen = t_s !== null && t_s >= range.from_s && t_s <= range.to_s;
  zoomCharts(session, scaledAround(range, is_seen ? t_s : (range.from_s + range.to_s) / 2, factor));
}

/** How fast virtual time passes. */
export interface Pace {
  id: string;
  title: string;
  ns_per_s: number | null;
}

export const paces: readonly Pace[] = [
  { id: 'fast', title: 'as fast as possible', ns_per_s: null },
  { id: '1s', title: '1 s a second (real time)', ns_per_s: 1e9 },
  { id: '10ms', title: '10 ms a second (1/100)', ns_per_s: 1e7 },
  { id: '1ms', title: '1 ms a second (1/1,000)', ns_per_s: 1e6 },
  { id: '100us', title: '100 µs a second (1/10,000)', ns_per_s: 1e5 },
];
export const paceCommandId = (pace: string) => `pace.${pace}`;

const STEP_NS = 10_000;

// A step stops the time of a run that goes on, too.
function canStep(state: ExplorerState): boolean {
  return shownPlatform(state) === 'virtual' && hasClients(state);
}

function paceCommand({ id, title, ns_per_s }: Pace): Command {
  return {
    id: paceCommandId(id),
    title: `Pace: ${title}`,
    isEnabled: (state) => shownPlatform(state) === 'virtual',
    unless_enabled: 'only on the virtual server',
    execute: (session) => session.setPace(ns_per_s),
  };
}

const view_titles: Record<View, string> = {
  front: 'All bugs',
  explorer: 'Explorer',
  compare: 'Compare two designs',
  sweep: 'Sweep over threads',
};
export const viewCommandId = (view: View) => `view.${view}`;

function viewCommand(view: View): Command {
  return {
    id: viewCommandId(view),
    title: view_titles[view],
    isEnabled: () => true,
    execute: (session) => {
      session.openView(view);
    },
  };
}

function platformCommand(platform: Platform): Command {
  return {
    id: platformCommandId(platform),
    title: platform === 'threads' ? 'Platform: this machine' : 'Platform: virtual server',
    isEnabled: ({ missing }) => missing[platform].length === 0,
    unless_enabled: 'this page cannot run it',
    execute: (session) => session.openPlatform(platform),
  };
}

function designCommand(name: string, design: Record<string, string>): Command {
  return {
    id: designCommandId(name),
    title: `Design: ${name}`,
    isEnabled: () => true,
    execute: async (session) => {
      for (const [knob, variant] of Object.entries(design)) await session.setKnob(knob, variant);
    },
  };
}

function themeCommand(theme: Theme): Command {
  return {
    id: `theme.${theme}`,
    title: `Theme: ${theme}`,
    isEnabled: () => true,
    execute: (session) => {
      session.store.setState({ theme });
    },
  };
}

async function copyLink(session: Session): Promise<void> {
  const state = session.store.getState();
  if (state.draft_spec === null) return;
  const link = new URL(
    formatLink(state.draft_spec, state.view, guidanceShown(state), settingsShown(state)),
    location.href,
  ).href;
  history.replaceState(null, '', link);
  const announcement = await navigator.clipboard.writeText(link).then(
    () => 'Link copied',
    () => 'The link stands in the address bar',
  );
  session.store.setState({ announcement });
}
