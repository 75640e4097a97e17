// Declares the glossary's slice of the state, and its commands.
import { all_terms, glossary_terms, glossaryCommandId, type GlossaryTerm } from '../../contract/glossary';
import type { CommandSource } from '../../session/command-registry';
import type { Feature } from '../../session/feature';
import type { ExplorerState } from '../../session/store';

export interface GlossarySlice {
  /** The requested term; null if none. */
  glossary_term: GlossaryTerm | null;
}

export type GlossaryState = ExplorerState & GlossarySlice;

const no_term: GlossarySlice = { glossary_term: null };

export const glossary_feature: Feature = { slice: no_term };

/** `open` shows it over the page, at a term. */
export const glossaryCommands = (open: (slice: GlossarySlice) => void): CommandSource => ({
  commands: () => [
    {
      id: 'glossary.open',
      title: 'Glossary',
      isEnabled: () => true,
      execute: () => {
        open(no_term);
      },
    },
    ...all_terms.map((glossary_term) => ({
      id: glossaryCommandId(glossary_term),
      title: `Glossary: ${glossary_terms[glossary_term]}`,
      isEnabled: () => true,
      execute: () => {
        open({ glossary_term });
      },
    })),
  ],
});
