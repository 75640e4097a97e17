import type { ReactNode } from 'react';

import { ActionsPanel } from './actions-panel';
import { ChartsPanel } from './charts-panel';
import { DesignPanel } from './design-panel';
import { LogPanel } from './log-panel';
import { NoEvents } from './no-events';
import { PhaseStrip } from './phase-strip';
import { Part } from '../../widgets/part';
import { SettingsDrawer } from './settings-drawer';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';

interface ExplorerProps {
  /** What takes the left side while it is open: the lesson, or the story. */
  guide: ReactNode;
  inspector: ReactNode;
  /** In the drawer of the next run: what it supposes. */
  what_if?: ReactNode;
  /** With the phases: what the run that is shown supposes. */
  what_if_note?: ReactNode;
  /** Below the charts: at which moment the run is, and how to take it to another. */
  moments?: ReactNode;
  /** Below that: who holds which latch, and what each thread does, on an axis of time of their own. */
  latches_and_threads?: ReactNode;
}

/** One bug on one screen, with the lesson and the inspector, of which it knows no more than their places. */
export function Explorer({
  guide,
  inspector,
  what_if,
  what_if_note,
  moments,
  latches_and_threads,
}: ExplorerProps) {
  const scenario = useExplorer((state) => `${state.scenario.manifest.id} on ${state.draft.platform}`);
  const is_virtual = useIsVirtual();
  const is_file = useExplorer((state) => state.opened !== null);
  return (
    <main className={is_virtual ? 'explorer explorer-virtual' : 'explorer'}>
      <Part name="The lesson">{guide}</Part>
      {/* Another bug or platform is another explorer: no chart's axis, open row or chosen tab is carried over. */}
      <div key={scenario} className="workbench">
        <div className="area area-rail">
          <Part name="The lock design">
            <DesignPanel />
          </Part>
          <Part name="The actions">
            <ActionsPanel />
          </Part>
          <SettingsDrawer what_if={what_if} />
          <Part name="The log">
            <LogPanel />
          </Part>
        </div>
        <div className="area area-centre">
          <Part name="The phases">
            <PhaseStrip note={what_if_note} />
          </Part>
          <Part name="The charts">
            <ChartsPanel />
          </Part>
          {!is_file && <Part name="Rewind">{moments}</Part>}
          {is_virtual && is_file ? (
            <NoEvents />
          ) : (
            <Part name="Latches and threads">
              <div className="thread-time">{latches_and_threads}</div>
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
