// Shows what prevents a run, and how to fix it.
import type { ReactNode } from 'react';

import { missingHere, type ExplorerState } from '../session/store';
import { useExplorer } from '../widgets/session-context';

export function MissingCapabilities() {
  const missing = useExplorer(missingHere);
  return missing.map(({ capability, explanation, remedy }) => (
    <div key={capability} className="notice" role="alert">
      <strong>{capability} is missing, so nothing can run here.</strong> {explanation} {remedy} Everything
      else on this page can be read.
    </div>
  ));
}

export function EngineNotice() {
  const isCapable = useExplorer((state) => missingHere(state).length === 0);
  const failure = useExplorer((state) => state.engine_failure);
  const engineStatus = useExplorer((state) => state.engine_status);
  if (!isCapable || failure === null) return null;
  return (
    <div className="notice" role="alert">
      <strong>
        {engineStatus === 'not_loaded' ? 'The engine could not be loaded.' : 'The engine stopped.'}
      </strong>{' '}
      <code>{failure}</code> {engineRemarks[engineStatus]}
    </div>
  );
}

/** The status of the engine that replaces the failed one. */
const engineRemarks: Record<ExplorerState['engine_status'], string> = {
  ready: 'A new engine is ready. Press Run.',
  loading: 'A new engine is loading.',
  not_loaded: 'Press Run to try again.',
};

/** `close` is a button that closes the message. */
export function Refusals({ close }: { close?: ReactNode }) {
  const refusals = useExplorer((state) => state.refusals);
  return <Faults title="That did not work." faults={refusals} close={close} />;
}

interface FaultsProps {
  title: string;
  faults: string[];
  close?: ReactNode;
}

export function Faults({ title, faults, close }: FaultsProps) {
  if (faults.length === 0) return null;
  return (
    <div className="notice" role="alert">
      {close}
      <strong>{title}</strong>
      <ul>
        {faults.map((fault, index) => (
          <li key={index}>{fault}</li>
        ))}
      </ul>
    </div>
  );
}
