import type { ReactNode } from 'react';

import { glossaryCommandId, type GlossaryTerm } from '../contract/glossary';
import { useSession } from './session-context';

/** A term that opens the glossary at its definition. */
export function GlossaryLink({ term, children }: { term: GlossaryTerm; children: ReactNode }) {
  const { commands } = useSession();
  return (
    <button
      type="button"
      className="term"
      onClick={() => {
        void commands.perform(glossaryCommandId(term));
      }}
    >
      {children}
    </button>
  );
}
