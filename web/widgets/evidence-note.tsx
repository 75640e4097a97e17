import type { ReactNode } from 'react';

/** Explains how to read the evidence below and what it covers. */
export function EvidenceNote({ children }: { children: ReactNode }) {
  return <p className="muted evidence-note">{children}</p>;
}
