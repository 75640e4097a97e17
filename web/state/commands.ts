// What a reader can do, each thing under one id: buttons, window.latchscope.execute and later the command palette all
// go through this list.
import { CommandRefused, EngineFailure } from '../engine-client/engine';
import { formatLink } from './link';
import type { Session } from './session';
import { canRun, isLive, type ExplorerState, type Theme } from './store';

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
export const designCommandId = (name: string) => `design.${name}`;

const run_commands: Command[] = [
  {
    id: 'run.start',
    title: 'Run',
    isEnabled: ({ run_state, missing, draft_errors, commands_outstanding, opening }) =>
      canRun(run_state) &&
      missing.length === 0 &&
      draft_errors.length === 0 &&
      commands_outstanding === 0 &&
      opening === null,
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
    id: 'link.copy',
    title: 'Copy link',
    isEnabled: ({ draft_spec }) => draft_spec !== null,
    execute: copyLink,
  },
];

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
