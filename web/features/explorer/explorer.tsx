import type { ReactNode } from 'react';

import { longWaitInWords, longWaitIsOver, longWaitSpoken } from '../../analysis/long-wait';
import { actionCommandId } from '../../session/commands';
import { CommandButton } from '../../widgets/command-button';
import { EvidenceNote } from '../../widgets/evidence-note';
import { Panel } from '../../widgets/panel';
import { Part } from '../../widgets/part';
import { useIsVirtual, useRunTime } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';
import { useIsPhone } from '../../widgets/use-is-phone';
import { ChartsPanel } from './charts-panel';
import { DesignPanel } from './design-panel';
import { PhaseStrip } from './phase-strip';
import { SettingsDrawer } from './settings-drawer';
import { ThumbBar } from './thumb-bar';

interface ExplorerProps {
  /** The lesson or the story, which uses the left side while it is open. */
  guide: ReactNode;
  inspector: ReactNode;
  /** In the drawer of the next run: its what-if. */
  whatIf?: ReactNode;
  /** With the phases: the shown run's what-if. */
  whatIfNote?: ReactNode;
  /** Below the charts: the present moment of the run, and controls to move to another. */
  moments?: ReactNode;
  /** Below that: holders of each latch and activities of each thread, on their own time axis. */
  latchesAndThreads?: ReactNode;
}

/** Shows one bug on one screen. The lesson and the inspector are passed in as elements. */
export function Explorer({
  guide,
  inspector,
  whatIf,
  whatIfNote,
  moments,
  latchesAndThreads,
}: ExplorerProps) {
  const scenario = useExplorer((state) => `${state.scenario.manifest.id} on ${state.draft.platform}`);
  const isVirtual = useIsVirtual();
  const isFile = useExplorer((state) => state.opened !== null);
  const isPhone = useIsPhone();
  const phases = (
    <Part name="The phases">
      <PhaseStrip note={whatIfNote} />
    </Part>
  );
  const controls = (
    <>
      <Part name="The lock design">
        <DesignPanel />
      </Part>
      <Part name="The actions">
        <ActionsPanel />
      </Part>
    </>
  );
  return (
    <main className={isVirtual ? 'explorer explorer-virtual' : 'explorer'}>
      <Part name="The lesson">{guide}</Part>
      {/* The key replaces the explorer for another bug or platform, so that no chart's axis,
          open row or chosen tab is carried over. */}
      <div key={scenario} className="workbench">
        <div className="area area-rail">
          {!isPhone && controls}
          <SettingsDrawer whatIf={whatIf} />
          <Part name="The log">
            <LogPanel />
          </Part>
        </div>
        <div className="area area-center">
          {!isPhone && phases}
          <Part name="The charts">
            <ChartsPanel phases={isPhone && phases} controls={isPhone && controls} />
          </Part>
          {!isFile && <Part name="Rewind">{moments}</Part>}
          {isVirtual && isFile ? (
            <NoEvents />
          ) : (
            <Part name="Latches and threads">
              <div className="thread-time">{latchesAndThreads}</div>
            </Part>
          )}
        </div>
        <div className="area area-inspector">
          <Part name="The inspector">{inspector}</Part>
        </div>
      </div>
      <Part name="The thumb bar">
        <ThumbBar />
      </Part>
    </main>
  );
}

/** Replaces the lanes for a result opened from a file. */
function NoEvents() {
  return (
    <Panel title="Thread lanes" className="chart-panel">
      <EvidenceNote>
        A result file has no events: no thread lanes and no latch holders. Run it again on the virtual server
        to see them; the run is identical.
      </EvidenceNote>
    </Panel>
  );
}

/** Fires the steps of the report's how-to-repeat during the run. */
export function ActionsPanel() {
  const actions = useExplorer((state) => state.scenario.manifest.actions);
  const canFire = useExplorer(({ run_state }) => run_state === 'running' || run_state === 'paused');
  if (actions.length === 0) return null;
  return (
    <Panel title="Actions" note={canFire ? 'applied at once' : 'during a run'}>
      <div className="actions">
        {actions.map(({ id, explanation }) => (
          <CommandButton key={id} command={actionCommandId(id)} title={explanation} />
        ))}
      </div>
      <LongWaitNote />
    </Panel>
  );
}

/** Shows the long operation in progress, its progress, and its remaining time. */
function LongWaitNote() {
  const wait = useExplorer((state) => state.longWait);
  const lastWait = useExplorer((state) => state.lastLongWait);
  const formatRunTime = useRunTime();
  return (
    <>
      {wait !== null && (
        <div className="long-wait">
          <progress value={wait.share} max={1} aria-label={longWaitSpoken(wait)} />
          {/* Screen readers announce it only by quarters. */}
          <p aria-hidden="true">{longWaitInWords(wait, formatRunTime)}</p>
        </div>
      )}
      <p role="status" className="visually-hidden">
        {wait !== null ? longWaitSpoken(wait) : lastWait !== null && longWaitIsOver(lastWait)}
      </p>
    </>
  );
}

/** Shows the log of the run. It scrolls with the column around it. */
function LogPanel() {
  const log = useExplorer((state) => state.log);
  const formatRunTime = useRunTime();
  const isVirtual = useIsVirtual();
  return (
    <Panel title="Log" note={isVirtual ? 'virtual time' : 'run time'} className="log-panel">
      <ol className={isVirtual ? 'log log-virtual' : 'log'} aria-label="Run log">
        {log.map(({ tS, text }, index) => (
          <li key={index}>
            <span className="log-time">{formatRunTime(tS)}</span> {text}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
