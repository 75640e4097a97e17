// Defines the commands that export and open files.
import type { Command, CommandSource } from '../../session/command-registry';
import type { ChosenFile } from '../../contract/run-result-text';
import type { Session } from '../../session/session';
import { measuredFileShown } from '../../session/store';
import { exportFormats } from './export-formats';

/** Access to files of the reader's device. */
export interface FilePort {
  save: (name: string, content: Blob) => void;
  /** Settles with null if the reader chooses no file. */
  pick: (accept: string) => Promise<ChosenFile | null>;
}

export const exportCommandId = (format: string) => `export.${format}`;

export const exportCommands = (session: Session, files: FilePort): CommandSource => ({
  commands: () =>
    exportFormats.map((format): Command => ({
      id: exportCommandId(format.id),
      title: format.title,
      whyNot: format.whyNot,
      isEnabled: (state) => format.whyNot(state) === null,
      execute: async () => {
        if (format.whyNot(session.store.getState()) !== null) return;
        const { exportRun } = await import('./exports');
        const { name, content } = await exportRun(session, format);
        files.save(name, content);
        session.store.setState({ announcement: `Saved ${name}` });
      },
    })),
});

export const fileCommands = (session: Session, files: FilePort): CommandSource => ({
  commands: () => [
    {
      id: 'result.open',
      title: 'Open run result…',
      execute: async () => {
        const file = await files.pick('.json,application/json');
        if (file !== null) await session.files.openResultFile(file);
      },
    },
    {
      id: 'result.close',
      title: 'Close file',
      isEnabled: ({ opened }) => opened !== null,
      unlessEnabled: 'no file is open',
      execute: () => session.files.closeResult(),
    },
    {
      id: 'measured.open',
      title: 'Open measured file…',
      execute: async () => {
        const file = await files.pick('.json,application/json');
        if (file !== null) await session.files.openMeasuredFile(file);
      },
    },
    {
      id: 'measured.close',
      title: 'Remove measured file',
      isEnabled: (state) => measuredFileShown(state) !== null,
      unlessEnabled: 'no measured file is open',
      execute: () => session.files.closeMeasuredFile(),
    },
  ],
});
