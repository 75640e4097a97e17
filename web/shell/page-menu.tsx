import type { MouseEvent, ReactNode } from 'react';

import { scenarioInShort } from '../contract/scenario-names';
import { PlatformSwitch } from '../features/explorer/platform-switch';
import { FilesMenu } from '../features/files';
import { hasView, viewCommandId } from '../session/commands';
import { isOfBug, type View } from '../session/store';
import { CommandButton } from '../widgets/command-button';
import { useExplorer, useSession } from '../widgets/session-context';
import { nextThemeCommandId } from './page-commands';

const CHOICE = ':is(.button:not([aria-haspopup]), [role="menuitem"]):not([aria-disabled="true"])';

/** Holds what has no room in the bar of a phone: the views, the platform, what to read and to share. */
export default function PageMenu() {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const hasLesson = useExplorer((state) => state.scenario.lesson !== null);
  const view = useExplorer((state) => state.view);
  const theme = useExplorer((state) => state.theme);
  const themeCommand = useExplorer(nextThemeCommandId);
  const onClick = useClosedByChoice();
  const hasBug = isOfBug(view);
  return (
    <>
      <header className="dialog-header">
        <h2>{hasBug ? `${scenarioInShort(manifest)} ${manifest.title}` : titleOf(view)}</h2>
        <CommandButton command="dialog.close">Close</CommandButton>
      </header>
      <div className="page-menu-groups" onClick={onClick}>
        <nav aria-label="Views" className="page-menu-group">
          {viewsOfPage
            .filter(({ view: id }) => hasView(id, manifest))
            .map(({ view: id, title: name }) => (
              <CommandButton key={id} command={viewCommandId(id)} isCurrent={id === view}>
                {name}
              </CommandButton>
            ))}
        </nav>
        {hasBug && (
          <Group title="Platform">
            {view !== 'stage' && <PlatformSwitch />}
            <CommandButton command="page.server">Server</CommandButton>
          </Group>
        )}
        {hasBug && manifest.bug !== undefined && (
          <Group title="Read">
            {hasLesson && <CommandButton command="lesson.open">Lesson</CommandButton>}
            <CommandButton command="story.open">Story</CommandButton>
            <CommandButton command="presenter.toggle">Slides</CommandButton>
          </Group>
        )}
        <Group title="Share">
          <CommandButton command="link.copy" />
          {hasBug && <FilesMenu />}
        </Group>
        <Group title="Page">
          <CommandButton command="palette.open" />
          <CommandButton command="help.open" />
          <CommandButton command={themeCommand}>Theme: {theme}</CommandButton>
        </Group>
      </div>
    </>
  );
}

const viewsOfPage = [
  { view: 'front', title: 'All bugs' },
  { view: 'stage', title: 'Stage' },
  { view: 'explorer', title: 'Explore' },
  { view: 'compare', title: 'Compare' },
  { view: 'sweep', title: 'Sweep' },
  { view: 'what_if', title: 'What if' },
  { view: 'lab', title: 'Latch lab' },
  { view: 'waits', title: 'Your waits' },
  { view: 'workload', title: 'Workload' },
] as const;

const titleOf = (shown: View) => viewsOfPage.find(({ view }) => view === shown)!.title;

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="page-menu-group" role="group" aria-label={title}>
    {children}
  </div>
);

/** Closes the menu once a command is chosen, unless that has opened another dialog. */
function useClosedByChoice() {
  const { store } = useSession();
  return ({ target }: MouseEvent) => {
    const isMenuOpen = store.getState().dialog === 'menu';
    if (isMenuOpen && (target as Element).closest(CHOICE) !== null) store.setState({ dialog: null });
  };
}
