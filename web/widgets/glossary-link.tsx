import type { ReactNode } from 'react';

import { glossaryCommandId, type GlossaryTerm } from '../contract/glossary';
import { usePerform } from './session-context';

/** A term that opens the glossary at its definition. */
export function GlossaryLink({ term, children }: { term: GlossaryTerm; children: ReactNode }) {
  const perform = usePerform();
  return (
    <button type="button" className="term" onClick={() => perform(glossaryCommandId(term))}>
      {children}
    </button>
  );
}
