import type { ReactNode } from 'react';

import { ActionsPanel } from './actions-panel';
import { ChartsPanel } from './charts-panel';
import { DesignPanel } from './design-panel';
import { LogPanel } from './log-panel';
import { PhaseStrip } from './phase-strip';
import { EvidenceNote } from '../../widgets/evidence-note';
import { Panel } from '../../widgets/panel';
import { Part } from '../../widgets/part';
import { SettingsDrawer } from './settings-drawer';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';

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
  return (
    <main className={isVirtual ? 'explorer explorer-virtual' : 'explorer'}>
      <Part name="The lesson">{guide}</Part>
      {/* The key replaces the explorer for another bug or platform, so that no chart's axis,
          open row or chosen tab is carried over. */}
      <div key={scenario} className="workbench">
        <div className="area area-rail">
          <Part name="The lock design">
            <DesignPanel />
          </Part>
          <Part name="The actions">
            <ActionsPanel />
          </Part>
          <SettingsDrawer whatIf={whatIf} />
          <Part name="The log">
            <LogPanel />
          </Part>
        </div>
        <div className="area area-center">
          <Part name="The phases">
            <PhaseStrip note={whatIfNote} />
          </Part>
          <Part name="The charts">
            <ChartsPanel />
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
