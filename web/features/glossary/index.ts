import { lazy } from 'react';

import { all_terms, glossary_terms, glossaryCommandId, type GlossaryTerm } from '../../contract/glossary';
import type { CommandSource } from '../../session/command-registry';
import type { Feature } from '../../session/feature';

export const GlossaryPanel = lazy(() => import('./glossary-panel'));

interface GlossarySlice {
  /** The requested term; null if none. */
  glossaryTerm: GlossaryTerm | null;
}

declare module '../../session/store' {
  interface FeatureSlices extends GlossarySlice {}
}

const noTerm: GlossarySlice = { glossaryTerm: null };

/** `open` shows it over the page, at a term. */
export const glossaryCommands = (open: (slice: GlossarySlice) => void): CommandSource => ({
  commands: () => [
    {
      id: 'glossary.open',
      title: 'Glossary',
      execute: () => open(noTerm),
    },
    ...all_terms.map((glossaryTerm) => ({
      id: glossaryCommandId(glossaryTerm),
      title: `Glossary: ${glossary_terms[glossaryTerm]}`,
      execute: () => open({ glossaryTerm }),
    })),
  ],
});

export const glossaryFeature: Feature<{ openDialog: (dialog: 'glossary', slice: GlossarySlice) => void }> = {
  slice: noTerm,
  open: ({ openDialog }) => ({
    commands: [glossaryCommands((slice) => openDialog('glossary', slice))],
  }),
};
