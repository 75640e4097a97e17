import { lazy, Suspense } from 'react';

import { shapeOfServer } from '../contract/servers';
import { Dialogs } from './dialogs';
import { Inspector } from '../features/evidence/inspector';
import { BranchesButton } from '../features/forks/branches-button';
import { WalkSlot, WalkStatus } from '../features/explain/walk-slot';
import { GuideSide } from '../features/lessons/guide-side';
import { ChainSlot } from '../features/explain/chain-slot';
import { Explorer } from '../features/explorer/explorer';
import { FirstRunNote } from '../features/explorer/first-run-note';
import { FrontPage } from '../features/front/front-page';
import { Notices } from './notices';
import { Part } from '../widgets/part';
import { PictureSlot } from '../features/pictures/picture-slot';
import { PresenterBar } from '../features/presenter/presenter-bar';
import { RewindBar } from '../features/rewind/rewind-bar';
import { WhatIfNote } from '../features/what-if/what-if-note';
import { useIsVirtual } from '../widgets/run-time';
import { useExplorer, useSession } from '../widgets/session-context';
import { VirtualTimeControls } from '../widgets/virtual-time-controls';
import type { PageState } from './page-state';
import { TopBar } from './top-bar';
import { useShortcuts } from './use-shortcuts';

// Loaded when first opened.
const CompareView = lazy(() => import('../features/experiments/compare-view'));
const loadLocks = () => import('../features/locks/views');
const ThreadTime = lazy(async () => ({ default: (await loadLocks()).ThreadTime }));
const LockPicturePanel = lazy(async () => ({ default: (await loadLocks()).LockPicturePanel }));
const SweepView = lazy(() => import('../features/experiments/sweep-view'));
const LabView = lazy(() => import('../features/lab/lab-view'));
const WhatIfPanel = lazy(() => import('../features/what-if/what-if-panel'));
const WhatIfView = lazy(() => import('../features/what-if/what-if-view'));

/** Renders the page: its top bar and the chosen view. */
export function App() {
  const view = useExplorer((state) => state.view);
  useShortcuts(useSession());
  return (
    <div className={`app app-${view}`}>
      <Part name="The top bar">
        <TopBar />
      </Part>
      <Part name="The notices">
        <Notices />
        <FirstRunNote />
      </Part>
      {/* The key resets the error boundary, so a failed view does not block the others. */}
      <Part key={view} name="This view">
        {view === 'front' && <FrontPage />}
        {view === 'explorer' && <ExplorerView />}
        <Suspense>
          {view === 'compare' && <CompareView />}
          {view === 'sweep' && <SweepView />}
          {view === 'what_if' && <WhatIfView />}
          {view === 'lab' && <LabView />}
        </Suspense>
      </Part>
      <Part name="The presenter">
        <PresenterBar />
      </Part>
      <Dialogs />
    </div>
  );
}

function ExplorerView() {
  const isVirtual = useIsVirtual();
  const holdsMoment = useExplorer((state: PageState) => state.locks.holdsMoment);
  const server = useExplorer(({ spec, scenario }) => spec?.server ?? scenario.manifest.virtual_server);
  const latchesAndThreads = (
    <Suspense>
      <ThreadTime timeControls={<VirtualTimeControls />} />
    </Suspense>
  );
  const lockPicture = isVirtual && (
    <Suspense>
      <LockPicturePanel server={shapeOfServer(server)} />
    </Suspense>
  );
  return (
    <Explorer
      guide={<GuideSide picture={<PictureSlot />} walk={<WalkSlot />} />}
      inspector={<Inspector chain={<ChainSlot />} lockPicture={lockPicture} isPictureFirst={holdsMoment} />}
      whatIf={
        <Suspense>
          <WhatIfPanel />
        </Suspense>
      }
      whatIfNote={
        <>
          <WhatIfNote />
          <WalkStatus />
        </>
      }
      moments={isVirtual && <RewindBar branches={<BranchesButton />} />}
      latchesAndThreads={latchesAndThreads}
    />
  );
}
