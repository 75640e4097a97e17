import { lazy } from 'react';

import type { Feature } from '../../session/feature';
import { glossaryCommands, noTerm, type GlossarySlice } from './glossary';

export const GlossaryPanel = lazy(() => import('./glossary-panel'));

export const glossaryFeature: Feature<{ openDialog: (dialog: 'glossary', slice: GlossarySlice) => void }> = {
  slice: noTerm,
  open: ({ openDialog }) => ({
    commands: [
      glossaryCommands((slice) => {
        openDialog('glossary', slice);
      }),
    ],
  }),
};
