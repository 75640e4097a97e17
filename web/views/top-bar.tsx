import type { RunState } from '../engine-client/snapshot';
import { canRun, type Theme } from '../state/store';
import { CommandButton } from './command-button';
import { PlatformSwitch } from './platform-switch';
import { useRunTime } from './run-time';
import { ScenarioSwitch } from './scenario-switch';
import { useExplorer } from './session-context';

const run_state_words: Record<RunState, string> = {
  idle: 'not started',
  building: 'loading',
  ready: 'ready',
  running: 'running',
  paused: 'paused',
  stopping: 'stopping',
  finished: 'finished',
  failed: 'failed',
};

export function TopBar() {
  const { bug, title, report } = useExplorer((state) => state.scenario.manifest);
  return (
    <header className="top-bar">
      <a className="brand" href="./" aria-label="Latchscope, start page">
        Latchscope
      </a>
      <ScenarioSwitch />
      <h1 className="bug-title">
        <span className="visually-hidden">Bug #{bug}: </span>
        {title}{' '}
        <a href={report.url} rel="noreferrer">
          report
        </a>
      </h1>
      <Announcement />
      <PlatformSwitch />
      <RunStateBadge />
      <div className="run-controls" role="group" aria-label="Run">
        <MainRunButton />
        <CommandButton command="run.stop" />
        <CommandButton command="link.copy" />
        <ThemeButton />
      </div>
    </header>
  );
}

function RunStateBadge() {
  const run_state = useExplorer((state) => state.run_state);
  const formatRunTime = useRunTime();
  const run_s = useExplorer(({ result, model, live }) =>
    result ? result.totals.seconds : model ? model.run_ns / 1e9 : live?.run_s,
  );
  return (
    <span className="run-state" data-run-state={run_state}>
      <span role="status">{run_state_words[run_state]}</span>
      <span className="run-time">{formatRunTime(run_s)}</span>
    </span>
  );
}

/** One button in one place: run, then pause, then resume. */
function MainRunButton() {
  const command = useExplorer(({ run_state }) => {
    if (canRun(run_state)) return 'run.start';
    return run_state === 'paused' ? 'run.resume' : 'run.pause';
  });
  return <CommandButton command={command} className="button-main" />;
}

const next_theme: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const theme_signs: Record<Theme, string> = { system: '◐', light: '☀', dark: '☾' };

function ThemeButton() {
  const theme = useExplorer((state) => state.theme);
  return (
    <CommandButton command={`theme.${next_theme[theme]}`} className="button-icon" title={`Theme: ${theme}`}>
      <span aria-hidden="true">{theme_signs[theme]}</span>
      <span className="visually-hidden">Theme: {theme}</span>
    </CommandButton>
  );
}

function Announcement() {
  const announcement = useExplorer((state) => state.announcement);
  return (
    <span className="announcement" role="status">
      {announcement}
    </span>
  );
}
