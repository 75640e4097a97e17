import { lazy, Suspense, useEffect, useLayoutEffect } from 'react';

import { Dialogs } from './dialogs';
import { FirstRunNote } from '../features/explorer/first-run-note';
import { FrontPage } from '../features/front/front-page';
import { Notices, Toasts } from './notices';
import { Part } from '../widgets/part';
import { CompareView, SweepView } from '../features/experiments';
import { LatchSearch, WaitsView } from '../features/imports';
import { LabView } from '../features/lab';
import { StageDemo, StageView } from '../features/stage';
import { WhatIfView } from '../features/what-if';
import { WorkloadView } from '../features/workload';
import { useExplorer, useSession } from '../widgets/session-context';
import { TopBar } from './top-bar';
import { useShortcuts } from './use-shortcuts';

// Loaded with the first bug.
const ExplorerView = lazy(() => import('./explorer-view'));
// Loaded with the first slide.
const Presentation = lazy(() => import('./presentation'));

/** Renders the page: its top bar and the chosen view. */
export function App() {
  const view = useExplorer((state) => state.view);
  const isPresenting = useExplorer((state) => state.presenter.is_on);
  useShortcuts(useSession());
  useStartAtTop();
  if (isPresenting) {
    return (
      <Suspense>
        <Presentation />
      </Suspense>
    );
  }
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
        {view === 'front' && <FrontPage demo={demo} search={search} />}
        <Suspense>
          {view === 'explorer' && <ExplorerView />}
          {view === 'stage' && <StageView />}
          {view === 'compare' && <CompareView />}
          {view === 'sweep' && <SweepView />}
          {view === 'what_if' && <WhatIfView />}
          {view === 'lab' && <LabView />}
          {view === 'waits' && <WaitsView />}
          {view === 'workload' && <WorkloadView explorer={<ExplorerView />} />}
        </Suspense>
      </Part>
      <Part name="The messages">
        <Toasts />
      </Part>
      <Dialogs />
    </div>
  );
}

/** Starts each opened bug, view and link at the top of the page. */
function useStartAtTop() {
  const { linkOpened } = useSession();
  const view = useExplorer((state) => state.view);
  const scenario = useExplorer((state) => state.scenario.manifest.id);
  useLayoutEffect(scrollToTop, [view, scenario]);
  useEffect(() => linkOpened.subscribe(scrollToTop), [linkOpened]);
}

const scrollToTop = () => {
  window.scrollTo(0, 0);
};

const demo = (scenario: string) => (
  <Suspense>
    <StageDemo scenario={scenario} />
  </Suspense>
);

const search = (
  <Part name="The search">
    <Suspense>
      <LatchSearch />
    </Suspense>
  </Part>
);
