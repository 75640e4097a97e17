import type { MouseEvent } from 'react';

import { counted } from '../analysis/format';
import { shapeOfServer } from '../contract/servers';
import type { RunState } from '../contract/telemetry-states';
import { scenarioInShort, scenarioLabel, scenarioTitle } from '../contract/scenario-names';
import { hasView, mainRunCommandId, viewCommandId } from '../session/commands';
import { nextThemeCommandId } from './page-commands';
import { shortcutOf } from './shortcuts';
import { isOfBug, type Theme } from '../session/store';
import { CommandButton, IconButton } from '../widgets/command-button';
import { Keys } from './keys';
import { PlatformSwitch } from '../features/explorer/platform-switch';
import { useRunTime } from '../widgets/run-time';
import { ScenarioSwitch } from '../features/explorer/scenario-switch';
import { useExplorer, useInFrame, useSession } from '../widgets/session-context';
import { useIsPhone } from '../widgets/use-is-phone';
import { FilesMenu } from '../features/files';

const runStateWords: Record<RunState, string> = {
  idle: 'not started',
  building: 'loading',
  ready: 'ready',
  running: 'running',
  paused: 'paused',
  stopping: 'stopping',
  finished: 'finished',
  failed: 'failed',
};

/**
 * Renders the bar with the bug, the platform, the run and its time, the views, and what to read and
 * share.
 */
export function TopBar() {
  const view = useExplorer((state) => state.view);
  const isPhone = useIsPhone();
  if (isPhone && view !== 'front') return <PhoneTopBar />;
  if (view === 'stage') return <StageTopBar />;
  return (
    <header className="top-bar">
      <Brand />
      {isOfBug(view) && <BugBar />}
      {view === 'lab' && <LabBar />}
      {view === 'waits' && <p className="view-title">Your waits</p>}
      {view === 'workload' && <WorkloadBar />}
      <PageControls />
    </header>
  );
}

/** One line: the bug, the state of its run, and a menu with everything else. */
function PhoneTopBar() {
  const view = useExplorer((state) => state.view);
  const manifest = useExplorer((state) => state.scenario.manifest);
  return (
    <header className="top-bar top-bar-phone">
      {view === 'lab' && <h1 className="view-title">Latch lab</h1>}
      {view === 'waits' && <p className="view-title">Your waits</p>}
      {view === 'workload' && <h1 className="view-title">Workload</h1>}
      {isOfBug(view) && (
        <>
          <ScenarioSwitch />
          {/* The stage has a headline of its own. */}
          {view !== 'stage' && <h1 className="visually-hidden">{scenarioTitle(manifest)}</h1>}
          <RunInWords />
        </>
      )}
      <IconButton command="menu.open" sign="☰" label="Menu" />
    </header>
  );
}

function RunInWords() {
  const runState = useExplorer((state) => state.run_state);
  const clients = useClients();
  return (
    <p className="run-in-words">
      <span role="status">{runStateWords[runState]}</span> · {counted(clients, 'client')}
    </p>
  );
}

/** Returns the number of clients of the shown run, or else of the next one. */
const useClients = () => useExplorer((state) => state.spec?.threads ?? Number(state.draft.threads));

/** The stage has few controls, so that the bug has the reader's eye. */
function StageTopBar() {
  const name = useExplorer((state) => scenarioInShort(state.scenario.manifest));
  const clients = useClients();
  const cores = useExplorer(({ spec, scenario }) => {
    const { sockets, cores_per_socket: coresPerSocket } = shapeOfServer(
      spec?.server ?? scenario.manifest.virtual_server,
    );
    return sockets * coresPerSocket;
  });
  const hasLesson = useExplorer((state) => state.scenario.lesson !== null);
  return (
    <header className="top-bar top-bar-stage">
      <Brand />
      <p className="stage-conditions">
        MySQL {name} · {counted(clients, 'client')} · modeled server, {counted(cores, 'core')}
      </p>
      <div className="page-controls" role="group" aria-label="Page">
        {hasLesson && <CommandButton command="lesson.open">Lesson</CommandButton>}
        <CommandButton command="link.copy">Share</CommandButton>
        <PaletteButton />
      </div>
    </header>
  );
}

function PageControls() {
  return (
    <div className="page-controls" role="group" aria-label="Page">
      <PaletteButton />
      <IconButton command="help.open" sign="?" label="Keys and help" title="Keys and help (?)" />
      <ThemeButton />
    </div>
  );
}

/** Opens the start page without reloading, so that a run continues. */
function Brand() {
  const session = useSession();
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    session.openView('front');
  };
  return (
    <a className="brand" href="./" aria-label="Latchscope, start page" onClick={onClick}>
      Latchscope
    </a>
  );
}

function BugBar() {
  const manifest = useExplorer((state) => state.scenario.manifest);
  return (
    <>
      <ScenarioSwitch />
      <h1 className="bug-title" title={manifest.title}>
        <span className="visually-hidden">{scenarioLabel(manifest)}: </span>
        {manifest.title}
      </h1>
      <section className="run-bar" aria-label="Platform and run">
        <PlatformSwitch />
        <RunStateBadge />
        <div className="run-controls" role="group" aria-label="Run">
          <MainRunButton />
          <CommandButton command="run.stop" />
        </div>
      </section>
      <ViewSwitch />
      <GuideButtons />
      <div className="share-controls" role="group" aria-label="Share">
        <CommandButton command="link.copy" />
        <FilesMenu />
      </div>
    </>
  );
}

/** The latch lab does not belong to a bug. */
function LabBar() {
  return (
    <>
      <h1 className="view-title">Latch lab</h1>
      <div className="share-controls" role="group" aria-label="Share">
        <CommandButton command="link.copy" />
      </div>
    </>
  );
}

/** The source has a button of its own that runs it. The bar has the rest, once it has run. */
function WorkloadBar() {
  const isOpen = useExplorer(({ scenario }) => scenario.manifest.workload !== undefined);
  const side = useExplorer((state) => state.workload.side);
  const runState = useExplorer((state) => state.run_state);
  return (
    <>
      <h1 className="view-title">Workload</h1>
      {isOpen && (
        <>
          <div className="side-switch" role="group" aria-label="Beside the source">
            <CommandButton command="workload.declared" pressed={side === 'declared'}>
              Declarations
            </CommandButton>
            <CommandButton command="workload.show_run" pressed={side === 'run'}>
              Run
            </CommandButton>
          </div>
          <section className="run-bar" aria-label="Platform and run">
            <PlatformSwitch />
            <RunStateBadge />
            <div className="run-controls" role="group" aria-label="Run">
              <CommandButton command={runState === 'paused' ? 'run.resume' : 'run.pause'} />
              <CommandButton command="run.stop" />
            </div>
          </section>
          <ViewSwitch />
        </>
      )}
      <div className="share-controls" role="group" aria-label="Share">
        <CommandButton command="link.copy" />
        {isOpen && <FilesMenu />}
      </div>
    </>
  );
}

/** The lesson and the story use the left side of the explorer. */
function GuideButtons() {
  const hasLesson = useExplorer((state) => state.scenario.lesson !== null);
  const hasStory = useExplorer((state) => state.scenario.story_html !== '');
  const isLessonOpen = useExplorer((state) => state.lesson !== null);
  const isStoryOpen = useExplorer((state) => state.isStoryOpen);
  return (
    <div className="guide-controls" role="group" aria-label="Read">
      {hasLesson && (
        <CommandButton command={isLessonOpen ? 'lesson.close' : 'lesson.open'} pressed={isLessonOpen}>
          Lesson
        </CommandButton>
      )}
      {hasStory && (
        <CommandButton command={isStoryOpen ? 'story.close' : 'story.open'} pressed={isStoryOpen}>
          Story
        </CommandButton>
      )}
    </div>
  );
}

const viewsOfBug = [
  { view: 'workload', title: 'Source' },
  { view: 'stage', title: 'Stage' },
  { view: 'explorer', title: 'Explore' },
  { view: 'compare', title: 'Compare' },
  { view: 'sweep', title: 'Sweep' },
  { view: 'what_if', title: 'What if' },
] as const;

function ViewSwitch() {
  const shown = useExplorer((state) => state.view);
  const manifest = useExplorer((state) => state.scenario.manifest);
  return (
    <nav className="view-switch" aria-label="Views">
      {viewsOfBug
        .filter(({ view }) =>
          view === 'workload' ? manifest.workload !== undefined : hasView(view, manifest),
        )
        .map(({ view, title }) => (
          <CommandButton key={view} command={viewCommandId(view)} isCurrent={view === shown}>
            {title}
          </CommandButton>
        ))}
    </nav>
  );
}

function PaletteButton() {
  const shortcut = useExplorer((state) => shortcutOf(state, 'palette.open'));
  return (
    <CommandButton command="palette.open" className="button-palette">
      <span className="button-palette-name">Commands</span>
      {shortcut !== undefined && <Keys shortcut={shortcut} />}
    </CommandButton>
  );
}

function RunStateBadge() {
  const runState = useExplorer((state) => state.run_state);
  const formatRunTime = useRunTime();
  const runS = useInFrame(({ result, model, live }) =>
    result ? result.totals.seconds : model ? model.run_ns / 1e9 : live?.run_s,
  );
  return (
    <span className="run-state" data-run-state={runState}>
      <span role="status">{runStateWords[runState]}</span>
      <span className="run-time">{formatRunTime(runS)}</span>
    </span>
  );
}

/** One button in one place does all three: run, then pause, then resume. */
function MainRunButton() {
  const command = useExplorer(mainRunCommandId);
  return <CommandButton command={command} className="button-main" />;
}

const themeSigns: Record<Theme, string> = { system: '◐', light: '☀', dark: '☾' };

function ThemeButton() {
  const theme = useExplorer((state) => state.theme);
  const command = useExplorer(nextThemeCommandId);
  return <IconButton command={command} sign={themeSigns[theme]} label={`Theme: ${theme}`} />;
}
