import type { ReactNode } from 'react';

import { Part } from '../../widgets/part';
import { DeclaredPanel } from './declared-panel';
import { EditorPanel } from './editor-panel';
import { TemplatesPanel } from './templates-panel';
import { useWorkload } from './workload';
import './workload.css';

/** Shows the reader's source on the left, and what it declares on the right. */
export default function WorkloadView() {
  // Waits for the editor, because the view uses its commands.
  useWorkload();
  return (
    <main className="workload">
      <div className="workload-left">
        <Part name="The editor">
          <EditorPanel />
        </Part>
      </div>
      <Declarations />
    </main>
  );
}

function Declarations(): ReactNode {
  return (
    <div className="workload-right">
      <Part name="The templates">
        <TemplatesPanel />
      </Part>
      <Part name="The declarations">
        <DeclaredPanel />
      </Part>
    </div>
  );
}
