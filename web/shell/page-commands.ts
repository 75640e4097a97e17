// What a reader can do with the page itself, as commands.
import type { Command } from '../session/commands';
import { isFirstRunShown } from '../session/store';

export const page_commands: Command[] = [
  {
    id: 'palette.open',
    title: 'Commands',
    isEnabled: () => true,
    execute: ({ store }) => {
      store.setState({ dialog: 'palette' });
    },
  },
  {
    id: 'help.open',
    title: 'Keys and help',
    isEnabled: () => true,
    execute: ({ store }) => {
      store.setState({ dialog: 'help' });
    },
  },
  {
    id: 'dialog.close',
    title: 'Close',
    isEnabled: ({ dialog }) => dialog !== null,
    unless_enabled: 'nothing is open',
    execute: ({ store }) => {
      store.setState({ dialog: null });
    },
  },
  {
    id: 'shortcuts.on',
    title: 'Switch single-key shortcuts on',
    isEnabled: ({ are_shortcuts_on }) => !are_shortcuts_on,
    unless_enabled: 'they are on',
    execute: ({ store }) => {
      store.setState({ are_shortcuts_on: true });
    },
  },
  {
    id: 'shortcuts.off',
    title: 'Switch single-key shortcuts off',
    isEnabled: ({ are_shortcuts_on }) => are_shortcuts_on,
    unless_enabled: 'they are off',
    execute: ({ store }) => {
      store.setState({ are_shortcuts_on: false });
    },
  },
  {
    id: 'first_run.dismiss',
    title: 'Close the note on the first run',
    isEnabled: isFirstRunShown,
    unless_enabled: 'none is shown',
    execute: ({ store }) => {
      store.setState({ first_run: null });
    },
  },
];
