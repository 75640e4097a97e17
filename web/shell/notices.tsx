import type { MissingCapability } from '../engine-client/capabilities';
import { describeFaults } from '../contract/fault';
import { CommandButton, IconButton } from '../widgets/command-button';
import { OpenedFileNotice, RefusedFileNotice } from '../features/files';
import { LostRunNotice } from '../features/last-run';
import { useExplorer, useSession } from '../widgets/session-context';
import { EngineNotice, Faults, MissingCapabilities, Refusals } from './run-notices';

/** Shows above the view what applies as long as the view is open. */
export function Notices() {
  return (
    <div className="notices">
      <MissingCapabilities />
      <Fallback />
      <EngineNotice />
      <OpenedFileNotice />
    </div>
  );
}

/** Shows over the view what has just happened. It moves nothing; errors stay until they are closed. */
export function Toasts() {
  const linkErrors = useExplorer((state) => state.linkErrors);
  return (
    <div className="toasts">
      <Faults
        title="This link is invalid; the page shows the defaults."
        faults={describeFaults(linkErrors)}
        close={closeErrors}
      />
      <Refusals close={closeErrors} />
      <RefusedFileNotice close={closeErrors} />
      <NewerBuild />
      <LostRunNotice />
      <Announcement />
    </div>
  );
}

const closeErrors = <IconButton command="messages.close" sign="✕" label="Close error" />;

/** Screen readers announce each new text. It leaves the window by itself: the style sheet says when. */
function Announcement() {
  const announcement = useExplorer((state) => state.announcement);
  const { store } = useSession();
  return (
    <div role="status">
      {announcement !== '' && (
        <p
          key={announcement}
          className="announcement"
          onAnimationEnd={() => store.setState({ announcement: '' })}
        >
          {announcement}
        </p>
      )}
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
