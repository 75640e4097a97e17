import type { ReactNode } from 'react';

/** How to read the evidence below it, and what it is of. */
export function EvidenceNote({ children }: { children: ReactNode }) {
  return <p className="muted evidence-note">{children}</p>;
}
