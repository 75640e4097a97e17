// Declares the shell's slice of the page's state, and the commands for the page itself.
import type { CommandSource } from '../session/command-registry';
import type { Session } from '../session/session';
import { isFirstRunShown, nothingRefused, type Theme, type ExplorerState } from '../session/store';

export type PageDialog =
  'menu' | 'palette' | 'help' | 'picture' | 'glossary' | 'courses' | 'server' | 'present';

interface ShellSlice {
  dialog: PageDialog | null;
  /** Ids of commands chosen in the command palette, latest first. */
  recentCommands: readonly string[];
  /** False disables single-key shortcuts, for readers whose speech input types letters. */
  areShortcutsOn: boolean;
}

declare module '../session/store' {
  interface FeatureSlices extends ShellSlice {}
}

export const shellAtFirst: ShellSlice = { dialog: null, recentCommands: [], areShortcutsOn: true };

const nextTheme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
export const nextThemeCommandId = ({ theme }: ExplorerState) => `theme.${nextTheme[theme]}`;

export const themeCommands = ({ store }: Session): CommandSource => ({
  commands: () =>
    (['system', 'light', 'dark'] as const).map((theme) => ({
      id: `theme.${theme}`,
      title: `Theme: ${theme}`,
      execute: () => store.setState({ theme }),
    })),
});

export function pageCommands(session: Session): CommandSource {
  const store = session.store;
  return {
    commands: () => [
      {
        id: 'palette.open',
        title: 'Commands',
        execute: () => store.setState({ dialog: 'palette' }),
      },
      {
        id: 'menu.open',
        title: 'Menu',
        execute: () => store.setState({ dialog: 'menu' }),
      },
      {
        id: 'help.open',
        title: 'Keys and help',
        execute: () => store.setState({ dialog: 'help' }),
      },
      {
        id: 'dialog.close',
        title: 'Close',
        isEnabled: ({ dialog }) => dialog !== null,
        unlessEnabled: 'no dialog is open',
        execute: () => store.setState({ dialog: null }),
      },
      {
        id: 'shortcuts.on',
        title: 'Turn single-key shortcuts on',
        isEnabled: ({ areShortcutsOn }) => !areShortcutsOn,
        unlessEnabled: 'already on',
        execute: () => store.setState({ areShortcutsOn: true }),
      },
      {
        id: 'shortcuts.off',
        title: 'Turn single-key shortcuts off',
        isEnabled: ({ areShortcutsOn }) => areShortcutsOn,
        unlessEnabled: 'already off',
        execute: () => store.setState({ areShortcutsOn: false }),
      },
      {
        id: 'first_run.dismiss',
        title: 'Close first-run note',
        isEnabled: isFirstRunShown,
        unlessEnabled: 'no note is shown',
        execute: () => store.setState({ firstRun: null }),
      },
      {
        id: 'messages.close',
        title: 'Close error messages',
        isEnabled: ({ refusals, linkErrors, fileRefused }) =>
          refusals.length + linkErrors.length > 0 || fileRefused !== null,
        unlessEnabled: 'no error is shown',
        execute: () => store.setState(nothingRefused),
      },
    ],
  };
}
