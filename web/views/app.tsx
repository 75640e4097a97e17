import { CompareView } from './compare-view';
import { Dialogs } from './dialogs';
import { Explorer } from './explorer';
import { FirstRunNote } from './first-run-note';
import { FrontPage } from './front-page';
import { Notices } from './notices';
import { PresenterBar } from './presenter-bar';
import { useExplorer, useSession } from './session-context';
import { SweepView } from './sweep-view';
import { TopBar } from './top-bar';
import { useShortcuts } from './use-shortcuts';

/** The page: its top bar, and the view that is chosen. */
export function App() {
  const view = useExplorer((state) => state.view);
  useShortcuts(useSession());
  return (
    <div className={`app app-${view}`}>
      <TopBar />
      <Notices />
      <FirstRunNote />
      {view === 'front' && <FrontPage />}
      {view === 'explorer' && <Explorer />}
      {view === 'compare' && <CompareView />}
      {view === 'sweep' && <SweepView />}
      <PresenterBar />
      <Dialogs />
    </div>
  );
}
