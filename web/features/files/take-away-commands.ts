// Taking files away, and opening them, as commands.
import type { Command } from '../../session/commands';
import { pickFile, saveFile } from '../../browser/files';
import { measuredFileShown, type ExplorerState } from '../../session/store';
import { takeAway, take_away_formats } from './take-away';

/** A command that says why it means nothing now. */
export interface TakeAwayCommand extends Command {
  whyNot: (state: ExplorerState) => string | null;
  readers: string;
  group: string;
}

export const exportCommandId = (format: string) => `export.${format}`;

export const export_commands: readonly TakeAwayCommand[] = take_away_formats.map((format) => ({
  id: exportCommandId(format.id),
  title: format.title,
  readers: format.readers,
  group: format.group,
  whyNot: format.whyNot,
  isEnabled: (state) => format.whyNot(state) === null,
  execute: async (session) => {
    if (format.whyNot(session.store.getState()) !== null) return;
    const { name, content } = await takeAway(session, format);
    saveFile(name, content);
    session.store.setState({ announcement: `Saved ${name}` });
  },
}));

export const file_commands: readonly Command[] = [
  {
    id: 'result.open',
    title: 'Open a run result…',
    isEnabled: () => true,
    execute: async (session) => {
      const file = await pickFile('.json,application/json');
      if (file !== null) await session.openResultFile(file);
    },
  },
  {
    id: 'result.close',
    title: 'Close this file',
    isEnabled: ({ opened }) => opened !== null,
    unless_enabled: 'no file is open',
    execute: (session) => {
      session.closeResult();
    },
  },
  {
    id: 'measured.open',
    title: 'Open a measured file…',
    isEnabled: () => true,
    execute: async (session) => {
      const file = await pickFile('.json,application/json');
      if (file !== null) await session.openMeasuredFile(file);
    },
  },
  {
    id: 'measured.close',
    title: 'Remove the measured file',
    isEnabled: (state) => measuredFileShown(state) !== null,
    unless_enabled: 'no measured file is open',
    execute: (session) => {
      session.closeMeasuredFile();
    },
  },
];
