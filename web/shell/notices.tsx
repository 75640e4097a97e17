import type { MissingCapability } from '../engine-client/capabilities';
import { describeFaults } from '../contract/fault';
import { CommandButton } from '../widgets/command-button';
import { FileNotices } from '../features/files';
import { LostRunNotice } from '../features/last-run';
import { useExplorer } from '../widgets/session-context';
import { EngineNotice, Faults, MissingCapabilities, Refusals } from './run-notices';

/** Shows what prevents the page from doing what the reader requested, and how to fix it. */
export function Notices() {
  const linkErrors = useExplorer((state) => state.linkErrors);
  return (
    <div className="notices">
      <MissingCapabilities />
      <Fallback />
      <NewerBuild />
      <EngineNotice />
      <Faults
        title="This link is invalid; the page shows the defaults."
        faults={describeFaults(linkErrors)}
      />
      <Refusals />
      <FileNotices />
      <LostRunNotice />
    </div>
  );
}

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
