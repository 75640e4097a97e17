import { lazy, Suspense } from 'react';

import { Panel } from '../../widgets/panel';
import { Part } from '../../widgets/part';
import { FaultList } from '../../widgets/batch-progress';
import { CommandButton } from '../../widgets/command-button';
import { useExplorer } from '../../widgets/session-context';
import { ExercisePath } from './exercise-path';
import { ExercisePanel } from './exercise-panel';
import { EditorPanel } from './editor-panel';
import { useLab } from './lab';
import { MeasurePanel } from './measure-panel';
import { ServerPanel } from './server-panel';
import { VerdictPanel } from './verdict-panel';
import './lab.css';

const LabHelp = lazy(() => import('./lab-help'));

/** Shows the reader's source on the left and the engine's findings on the right. */
export default function LabView() {
  // Waits for the lab, because the view uses its commands.
  useLab();
  return (
    <main className="lab">
      <Part name="The exercise path">
        <ExercisePath />
      </Part>
      <div className="lab-editor">
        <Part name="The editor">
          <EditorPanel />
        </Part>
        <Suspense>
          <LabHelp />
        </Suspense>
      </div>
      <div className="lab-findings">
        <Part name="The exercise">
          <ExercisePanel />
        </Part>
        <Part name="The progress">
          <WorkBar />
        </Part>
        <Part name="The verdict">
          <VerdictPanel />
        </Part>
        <Part name="The measurement">
          <MeasurePanel />
        </Part>
        <Part name="The server choice">
          <ServerPanel />
        </Part>
      </div>
    </main>
  );
}

function WorkBar() {
  const work = useExplorer((state) => state.lab.work);
  const refusal = useExplorer((state) => state.lab.refusal);
  return (
    <Panel title="Your latch" className="lab-work">
      <div className="row lab-buttons">
        <CommandButton command="lab.check" className="button-main">
          Check correctness
        </CommandButton>
        <CommandButton command="lab.measure" className="button-main">
          Measure scaling
        </CommandButton>
        {work !== null && <CommandButton command="lab.cancel">Cancel</CommandButton>}
      </div>
      <div role="status" aria-label="Lab progress" className="lab-status">
        {work !== null && (
          <>
            <progress value={work.partDone} aria-label="Progress" />
            <span>{work.sentence}</span>
          </>
        )}
      </div>
      {refusal.length > 0 && <FaultList faults={refusal} />}
    </Panel>
  );
}
