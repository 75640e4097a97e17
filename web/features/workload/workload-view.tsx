import type { ReactNode } from 'react';

import { Part } from '../../widgets/part';
import { useExplorer } from '../../widgets/session-context';
import { DeclaredPanel } from './declared-panel';
import { EditorPanel } from './editor-panel';
import { TemplatesPanel } from './templates-panel';
import { useWorkload } from './workload';
import { isWorkloadOpen } from './workload-state';
import './workload.css';

/**
 * Shows the reader's source on the left. On the right: templates and what the source declares, or
 * the explorer with the run.
 */
export default function WorkloadView({ explorer }: { explorer: ReactNode }) {
  // Waits for the editor, because the view uses its commands.
  useWorkload();
  const isRunShown = useExplorer((state) => state.workload.side === 'run' && isWorkloadOpen(state));
  return (
    <div className="workload" data-side={isRunShown ? 'run' : 'declared'}>
      <div className="workload-left">
        <Part name="The editor">
          <EditorPanel />
        </Part>
      </div>
      {isRunShown ? (
        <div className="workload-run">{explorer}</div>
      ) : (
        <main className="workload-right">
          <Part name="The templates">
            <TemplatesPanel />
          </Part>
          <Part name="The declarations">
            <DeclaredPanel />
          </Part>
        </main>
      )}
    </div>
  );
}
