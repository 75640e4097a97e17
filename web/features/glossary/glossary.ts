// Declares the glossary's slice of the state, and its commands.
import { all_terms, glossary_terms, glossaryCommandId, type GlossaryTerm } from '../../contract/glossary';
import type { CommandSource } from '../../session/command-registry';

export interface GlossarySlice {
  /** The requested term; null if none. */
  glossaryTerm: GlossaryTerm | null;
}

declare module '../../session/store' {
  interface FeatureSlices extends GlossarySlice {}
}

export const noTerm: GlossarySlice = { glossaryTerm: null };

/** `open` shows it over the page, at a term. */
export const glossaryCommands = (open: (slice: GlossarySlice) => void): CommandSource => ({
  commands: () => [
    {
      id: 'glossary.open',
      title: 'Glossary',
      isEnabled: () => true,
      execute: () => {
        open(noTerm);
      },
    },
    ...all_terms.map((glossaryTerm) => ({
      id: glossaryCommandId(glossaryTerm),
      title: `Glossary: ${glossary_terms[glossaryTerm]}`,
      isEnabled: () => true,
      execute: () => {
        open({ glossaryTerm });
      },
    })),
  ],
});
