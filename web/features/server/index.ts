import { lazy } from 'react';

import type { CommandSource } from '../../session/command-registry';
import type { Feature } from '../../session/feature';
import { isOfBug } from '../../session/store';
import type { SuggestedServer } from './server-form';

// Loaded when first opened, with the processor families.
export const ServerDialog = lazy(() => import('./server-dialog'));

interface ServerSlice {
  /** The values that the dialog was opened with; null if those of the next run. */
  serverSuggested: SuggestedServer | null;
}

/** The dialog for other features: they open it at the server that a reader has. */
export interface ServerModel {
  open: (suggested?: SuggestedServer) => void;
}

declare module '../../session/store' {
  interface FeatureSlices extends ServerSlice {}
}

declare module '../../session/feature' {
  interface FeatureModels {
    server: ServerModel;
  }
}

const serverCommands = (open: () => void): CommandSource => ({
  commands: () => [
    {
      id: 'page.server',
      title: 'Server: sockets, cores, CPU family, clients',
      isEnabled: ({ view }) => isOfBug(view),
      unlessEnabled: 'open a bug first',
      execute: open,
    },
  ],
});

type OpenDialog = (dialog: 'server', slice: ServerSlice) => void;

export const serverFeature: Feature<{ openDialog: OpenDialog }> = {
  slice: { serverSuggested: null },
  open: ({ openDialog }) => {
    const open = (suggested: SuggestedServer | null = null) =>
      openDialog('server', { serverSuggested: suggested });
    return { models: { server: { open } }, commands: [serverCommands(() => open())] };
  },
};
