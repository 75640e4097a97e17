// What a reader can do, each thing under one id: buttons, window.latchscope.execute and later the command palette all
// go through this list.
import { CommandRefused, EngineFailure } from '../engine-client/engine';
import { formatLink } from './link';
import type { Session } from './session';
import { canRun, isLive, missingHere, shownPlatform, type ExplorerState, type Theme } from './store';
import { all_platforms, type Platform } from '../engine-client/platforms';

export interface Command {
  id: string;
  title: string;
  isEnabled: (state: ExplorerState) => boolean;
  execute: (session: Session) => Promise<void> | void;
}

export function commandsOf({ scenario, scenarios }: ExplorerState): Command[] {
  const { knobs, designs, actions } = scenario.manifest;
  return [
    ...run_commands,
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
      isEnabled: ({ run_state }: ExplorerState) => ['running', 'paused'].includes(run_state),
      execute: (session: Session) => session.fire(action.id),
    })),
    ...scenarios.map(({ manifest }) => ({
      id: scenarioCommandId(manifest.id),
      title: `Bug #${manifest.bug}: ${manifest.title}`,
      isEnabled: () => true,
      execute: (session: Session) => session.openScenario(manifest.id),
    })),
    ...all_platforms.map(platformCommand),
    ...paces.map(paceCommand),
    ...(['system', 'light', 'dark'] as const).map(themeCommand),
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

export const knobCommandId = (knob: string, variant: string) => `knob.${knob}.${variant}`;
export const actionCommandId = (action: string) => `action.${action}`;
export const scenarioCommandId = (scenario: string) => `scenario.${scenario}`;
export const platformCommandId = (platform: Platform) => `platform.${platform}`;
export const designCommandId = (name: string) => `design.${name}`;

const run_commands: Command[] = [
  {
    id: 'run.start',
    title: 'Run',
    isEnabled: (state) =>
      canRun(state.run_state) &&
      missingHere(state).length === 0 &&
      state.draft_errors.length === 0 &&
      state.commands_outstanding === 0 &&
      state.opening === null,
    execute: (session) => session.runDraft(),
  },
  {
    id: 'run.pause',
    title: 'Pause',
    isEnabled: ({ run_state }) => run_state === 'running',
    execute: (session) => session.pause(),
  },
  {
    id: 'run.resume',
    title: 'Resume',
    isEnabled: ({ run_state }) => run_state === 'paused',
    execute: (session) => session.resume(),
  },
  {
    id: 'run.stop',
    title: 'Stop',
    isEnabled: ({ run_state }) => isLive(run_state),
    execute: (session) => session.stop(),
  },
  {
    id: 'run.step',
    title: 'Step 10 µs',
    isEnabled: canStep,
    execute: (session) => session.step({ until_next_multiple_of_ns: STEP_NS }),
  },
  {
    id: 'run.step_event',
    title: 'Step 1 event',
    isEnabled: canStep,
    execute: (session) => session.step({ events: 1 }),
  },
  {
    id: 'link.copy',
    title: 'Copy link',
    isEnabled: ({ draft_spec }) => draft_spec !== null,
    execute: copyLink,
  },
];

/** How fast virtual time passes. */
export interface Pace {
  id: string;
  title: string;
  ns_per_s: number | null;
}

export const paces: readonly Pace[] = [
  { id: 'fast', title: 'as fast as possible', ns_per_s: null },
  { id: '10ms', title: '10 ms a second (1/100)', ns_per_s: 1e7 },
  { id: '1ms', title: '1 ms a second (1/1,000)', ns_per_s: 1e6 },
  { id: '100us', title: '100 µs a second (1/10,000)', ns_per_s: 1e5 },
];
export const paceCommandId = (pace: string) => `pace.${pace}`;

const STEP_NS = 10_000;

// A step stops the time of a run that goes on, too.
function canStep(state: ExplorerState): boolean {
  return shownPlatform(state) === 'virtual' && ['running', 'paused'].includes(state.run_state);
}

function paceCommand({ id, title, ns_per_s }: Pace): Command {
  return {
    id: paceCommandId(id),
    title: `Pace: ${title}`,
    isEnabled: (state) => shownPlatform(state) === 'virtual',
    execute: (session) => session.setPace(ns_per_s),
  };
}

function platformCommand(platform: Platform): Command {
  return {
    id: platformCommandId(platform),
    title: platform === 'threads' ? 'Platform: this machine' : 'Platform: virtual server',
    isEnabled: ({ missing }) => missing[platform].length === 0,
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
  const { draft_spec } = session.store.getState();
  if (draft_spec === null) return;
  const link = new URL(formatLink(draft_spec), location.href).href;
  history.replaceState(null, '', link);
  const announcement = await navigator.clipboard.writeText(link).then(
    () => 'Link copied',
    () => 'The link stands in the address bar',
  );
  session.store.setState({ announcement });
}
