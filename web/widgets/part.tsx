import { useState, type ReactNode } from 'react';
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary';

import { FrameBatch, FrameBatchContext, useExplorer } from './session-context';

/**
 * Renders one part of the page behind an error boundary. If it fails, it shows an error in its
 * place and everything else still works. It is shown again on request, or with another bug,
 * platform or run. React logs the error to the console. During a run, all of its views update in
 * one frame.
 */
export function Part({ name, children }: { name: string; children: ReactNode }) {
  const scenario = useExplorer((state) => state.scenario.manifest.id);
  const platform = useExplorer((state) => state.draft.platform);
  const spec = useExplorer((state) => state.spec);
  const [turn] = useState(() => new FrameBatch());
  return (
    <ErrorBoundary
      resetKeys={[scenario, platform, spec]}
      fallbackRender={(failed) => <FailedPart name={name} {...failed} />}
    >
      <FrameBatchContext value={turn}>{children}</FrameBatchContext>
    </ErrorBoundary>
  );
}

/** Catches errors that no part has caught. */
export function WholePage({ reload, children }: { reload: () => void; children: ReactNode }) {
  return (
    <ErrorBoundary fallbackRender={({ error }) => <FailedPage error={error} reload={reload} />}>
      {children}
    </ErrorBoundary>
  );
}

function FailedPart({ name, error, resetErrorBoundary }: FallbackProps & { name: string }) {
  return (
    <section className="notice notice-part" role="alert">
      <strong>{name} could not be shown.</strong> <code>{messageOf(error)}</code> The rest of the page works.{' '}
      <button type="button" className="button" onClick={() => resetErrorBoundary()}>
        Show again
      </button>
    </section>
  );
}

function FailedPage({ error, reload }: { error: unknown; reload: () => void }) {
  return (
    <main className="notice" role="alert">
      <strong>The page failed.</strong> <code>{messageOf(error)}</code>{' '}
      <button type="button" className="button" onClick={() => reload()}>
        Reload page
      </button>
    </main>
  );
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
