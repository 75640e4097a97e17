import { specWithWhatIf } from '../../session/baseline-run';
import { whatIfInWords } from '../../session/what-if-words';
import { useExplorer } from '../../widgets/session-context';
import './what-if.css';

/** Warns that the figures of the shown run include a what-if. */
export function WhatIfNote() {
  const words = useExplorer((state) => whatIfInWords(specWithWhatIf(state)?.what_if));
  if (words === null) return null;
  return (
    <p className="what-if-note" role="note" aria-label="What if">
      <strong>What if</strong> {words}
    </p>
  );
}
