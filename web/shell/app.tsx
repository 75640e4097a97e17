import { Suspense, useEffect, useLayoutEffect } from 'react';

import { shapeOfServer } from '../contract/servers';
import { Dialogs } from './dialogs';
import { EvidenceForm, Inspector } from '../features/evidence';
import { BranchesButton } from '../features/forks';
import { ChainSlot, WalkSlot, WalkStatus } from '../features/explain';
import { GuideSide } from '../features/lessons';
import { Explorer } from '../features/explorer/explorer';
import { FirstRunNote } from '../features/explorer/first-run-note';
import { FrontPage } from '../features/front/front-page';
import { Notices, Toasts } from './notices';
import { Part } from '../widgets/part';
import { PictureSlot } from '../features/pictures';
import { SlidesView, type PanelsOfSlides } from '../features/presenter';
import { RewindBar } from '../features/rewind';
import { CompareView, SweepView } from '../features/experiments';
import { LabView } from '../features/lab';
import { QueueFigure, StageView } from '../features/stage';
import { LockPicturePanel, ThreadTime } from '../features/locks';
import { WhatIfNote, WhatIfPanel, WhatIfView } from '../features/what-if';
import { useIsVirtual } from '../widgets/run-time';
import { useExplorer, useSession } from '../widgets/session-context';
import { VirtualTimeControls } from '../widgets/virtual-time-controls';
import { TopBar } from './top-bar';
import { useShortcuts } from './use-shortcuts';

/** Renders the page: its top bar and the chosen view. */
export function App() {
  const view = useExplorer((state) => state.view);
  const isPresenting = useExplorer((state) => state.presenter.is_on);
  useShortcuts(useSession());
  useStartAtTop();
  if (isPresenting) return <Presentation />;
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
          {view === 'stage' && <StageView />}
          {view === 'compare' && <CompareView />}
          {view === 'sweep' && <SweepView />}
          {view === 'what_if' && <WhatIfView />}
          {view === 'lab' && <LabView />}
        </Suspense>
      </Part>
      <Part name="The messages">
        <Toasts />
      </Part>
      <Dialogs />
    </div>
  );
}

/** Shows the slides of a bug, and nothing of the page around them. */
function Presentation() {
  return (
    <div className="app app-slides">
      <Part name="The slides">
        <Suspense>
          <SlidesView panels={panelsOfSlides} />
        </Suspense>
      </Part>
      <Part name="The messages">
        <Toasts />
      </Part>
      <Dialogs />
    </div>
  );
}

const panelsOfSlides: PanelsOfSlides = {
  queue: (picture, clients) => <QueueFigure {...{ picture, clients }} />,
  picture: <PictureSlot isLarge />,
  walk: <WalkSlot />,
  lanes: <ThreadTime />,
  chain: <ChainSlot />,
  evidence: (place) => <EvidenceForm place={place} />,
};

/** Starts each opened bug, view and link at the top of the page. */
function useStartAtTop() {
  const { linkOpened } = useSession();
  const view = useExplorer((state) => state.view);
  const bug = useExplorer((state) => state.scenario.manifest.bug);
  useLayoutEffect(scrollToTop, [view, bug]);
  useEffect(() => linkOpened.subscribe(scrollToTop), [linkOpened]);
}

const scrollToTop = () => {
  window.scrollTo(0, 0);
};

function ExplorerView() {
  const isVirtual = useIsVirtual();
  const holdsMoment = useExplorer((state) => state.locks.holdsMoment);
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
