import type { MissingCapability } from '../engine-client/capabilities';
import { describeFaults } from '../contract/fault';
import { missingHere, type ExplorerState } from '../session/store';
import { CommandButton } from '../widgets/command-button';
import { FileNotices } from '../features/files/file-notices';
import { LostRunNotice } from '../features/last-run/lost-run-notice';
import { useExplorer } from '../widgets/session-context';

/** Shows what prevents the page from doing what the reader requested, and how to fix it. */
export function Notices() {
  const missing = useExplorer(missingHere);
  const failure = useExplorer((state) => state.engine_failure);
  const engineStatus = useExplorer((state) => state.engine_status);
  const linkErrors = useExplorer((state) => state.linkErrors);
  const refusals = useExplorer((state) => state.refusals);
  return (
    <div className="notices">
      {missing.map(({ capability, explanation, remedy }) => (
        <div key={capability} className="notice" role="alert">
          <strong>{capability} is missing, so nothing can run here.</strong> {explanation} {remedy} Everything
          else on this page can be read.
        </div>
      ))}
      <Fallback />
      <NewerBuild />
      {missing.length === 0 && failure !== null && (
        <div className="notice" role="alert">
          <strong>
            {engineStatus === 'not_loaded' ? 'The engine could not be loaded.' : 'The engine stopped.'}
          </strong>{' '}
          <code>{failure}</code> {engineRemarks[engineStatus]}
        </div>
      )}
      <Faults
        title="This link is invalid; the page shows the defaults."
        faults={describeFaults(linkErrors)}
      />
      <Faults title="That did not work." faults={refusals} />
      <FileNotices />
      <LostRunNotice />
    </div>
  );
}

/** The status of the engine that replaces the failed one. */
const engineRemarks: Record<ExplorerState['engine_status'], string> = {
  ready: 'A new engine is ready. Press Run.',
  loading: 'A new engine is loading.',
  not_loaded: 'Press Run to try again.',
};

/** Explains why the page runs on the virtual server although the reader did not choose it. */
function Fallback() {
  const missing = useExplorer(({ missing: of, draft }) =>
    draft.platform === 'virtual' ? of.threads : nothing,
  );
  const wouldIsolate = useExplorer((state) => state.offline.wouldIsolate);
  if (missing.length === 0) return null;
  return (
    <section className="notice notice-calm" aria-label="Fallback to the virtual server">
      <strong>Real threads are not available here, so runs use the virtual server.</strong>
      {missing.map(({ capability, explanation, remedy }) => (
        <span key={capability}>
          {' '}
          {explanation} {remedy}
        </span>
      ))}
      {wouldIsolate && (
        <>
          {' '}
          This browser can now isolate the page.{' '}
          <CommandButton command="page.reload">Reload for real threads</CommandButton>
        </>
      )}
    </section>
  );
}

function NewerBuild() {
  const { hasNewer, lacksSpace, status } = useExplorer((state) => state.offline);
  if (!hasNewer && lacksSpace && status === 'kept') return <NoSpaceForNewer />;
  if (!hasNewer) return null;
  return (
    <section className="notice notice-calm" aria-label="Newer version">
      A newer version is ready on this device.{' '}
      <CommandButton command="page.reload">Reload to update</CommandButton>
    </section>
  );
}

const NoSpaceForNewer = () => (
  <section className="notice notice-calm" aria-label="Newer version">
    A newer version does not fit on this device. Free some space, then reload.
  </section>
);

const nothing: MissingCapability[] = [];

function Faults({ title, faults }: { title: string; faults: string[] }) {
  if (faults.length === 0) return null;
  return (
    <div className="notice" role="alert">
      <strong>{title}</strong>
      <ul>
        {faults.map((fault, index) => (
          <li key={index}>{fault}</li>
        ))}
      </ul>
    </div>
  );
}
