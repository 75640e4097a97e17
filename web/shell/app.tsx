import { lazy, Suspense } from 'react';

import { Dialogs } from './dialogs';
import { EvidencePanel } from '../features/evidence/evidence-panel';
import { LessonPanel } from '../features/lessons/lesson-panel';
import { Explorer } from '../features/explorer/explorer';
import { FirstRunNote } from '../features/explorer/first-run-note';
import { FrontPage } from '../features/front/front-page';
import { Notices } from './notices';
import { Part } from '../widgets/part';
import { PresenterBar } from '../features/presenter/presenter-bar';
import { useExplorer, useSession } from '../widgets/session-context';
import { TopBar } from './top-bar';
import { useShortcuts } from './use-shortcuts';

// Loaded when they are first opened.
const CompareView = lazy(() => import('../features/experiments/compare-view'));
const SweepView = lazy(() => import('../features/experiments/sweep-view'));

/** The page: its top bar, and the view that is chosen. */
export function App() {
  const view = useExplorer((state) => state.view);
  useShortcuts(useSession());
  return (
    <div className={`app app-${view}`}>
      <Part name="The bar at the top">
        <TopBar />
      </Part>
      <Part name="What there is to say of the page">
        <Notices />
        <FirstRunNote />
      </Part>
      {/* By its view, so that a view that has failed does not stand in the way of another one. */}
      <Part key={view} name="This view">
        {view === 'front' && <FrontPage />}
        {view === 'explorer' && <Explorer lesson={<LessonPanel />} evidence={<EvidencePanel />} />}
        <Suspense>
          {view === 'compare' && <CompareView />}
          {view === 'sweep' && <SweepView />}
        </Suspense>
      </Part>
      <Part name="The presenter">
        <PresenterBar />
      </Part>
      <Dialogs />
    </div>
  );
}
