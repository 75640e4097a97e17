import { lazy, Suspense, useLayoutEffect, useRef, type ReactNode } from 'react';

import { BranchesPanel } from '../features/forks';
import { GlossaryPanel } from '../features/glossary';
import { PictureSlot } from '../features/pictures';
import { BugChoice } from '../features/presenter';
import { ServerDialog } from '../features/server';
import { Part } from '../widgets/part';
import { CommandButton } from '../widgets/command-button';
import { useExplorer, useSession } from '../widgets/session-context';

// Loaded when first opened.
const CommandPalette = lazy(() => import('./command-palette'));
const PageMenu = lazy(() => import('./page-menu'));
const HelpSheet = lazy(() => import('./help-sheet'));

/** Renders the open dialog. */
export function Dialogs() {
  const dialog = useExplorer((state) => state.dialog);
  if (dialog === 'palette') {
    return (
      <Suspense>
        <Dialog label="Commands" className="palette">
          <CommandPalette />
        </Dialog>
      </Suspense>
    );
  }
  if (dialog === 'menu') {
    return (
      <Suspense>
        <Dialog label="Menu" className="page-menu">
          <PageMenu />
        </Dialog>
      </Suspense>
    );
  }
  if (dialog === 'help') {
    return (
      <Suspense>
        <Dialog label="Keys and help" className="help">
          <HelpSheet />
        </Dialog>
      </Suspense>
    );
  }
  if (dialog === 'picture') {
    return (
      <Dialog label="Bug picture" className="large">
        <DialogHead title="Bug picture" />
        <PictureSlot isLarge />
      </Dialog>
    );
  }
  if (dialog === 'courses') {
    return (
      <Suspense>
        <Dialog label="Branches of this run" className="courses-dialog">
          <DialogHead title="Branches of this run" />
          <BranchesPanel />
        </Dialog>
      </Suspense>
    );
  }
  if (dialog === 'present') {
    return (
      <Suspense>
        <Dialog label="Present a bug" className="bug-choice">
          <DialogHead title="Present a bug" />
          <BugChoice />
        </Dialog>
      </Suspense>
    );
  }
  if (dialog === 'glossary') {
    return (
      <Suspense>
        <Dialog label="Glossary" className="glossary-dialog">
          <DialogHead title="Glossary" />
          <GlossaryPanel />
        </Dialog>
      </Suspense>
    );
  }
  if (dialog === 'server') {
    return (
      <Suspense>
        <Dialog label="Server" className="server">
          <ServerDialog />
        </Dialog>
      </Suspense>
    );
  }
  return null;
}

const DialogHead = ({ title }: { title: string }) => (
  <header className="dialog-header">
    <h2>{title}</h2>
    <CommandButton command="dialog.close">Close</CommandButton>
  </header>
);

/** Uses the browser's own dialog, which keeps the focus inside and restores it afterwards. */
function Dialog({ label, className, children }: { label: string; className: string; children: ReactNode }) {
  const store = useSession().store;
  const element = useRef<HTMLDialogElement>(null);
  // Close it while it is still in the document; otherwise the focus is not restored.
  useLayoutEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    return () => {
      dialog.close();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-label={label}
      className={`dialog ${className}`}
      onCancel={() => {
        store.setState({ dialog: null });
      }}
      onClick={(event) => {
        // The dialog's content fills its box, so this click is outside of it.
        if (event.target === event.currentTarget) store.setState({ dialog: null });
      }}
    >
      <div className="dialog-content">
        <Part name={`“${label}”`}>{children}</Part>
      </div>
    </dialog>
  );
}
