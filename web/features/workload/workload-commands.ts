// Registers the commands of the editor. Loaded with it.
import type { CommandSource } from '../../session/command-registry';
import { refusalToReplace } from '../../session/run-lock';
import type { ExplorerState } from '../../session/store';
import { templateNames } from './template-names';
import { WorkloadEditing, type WorkloadPorts } from './workload-editing';

/** A source that is still being compiled may be run: the run waits for its errors. */
function whyNoRun(state: ExplorerState): string | null {
  if ((state.workload.checked?.errors ?? []).length > 0) return 'the source has errors';
  return refusalToReplace(state)?.message ?? null;
}

const workloadCommands = (editing: WorkloadEditing): CommandSource => ({
  commands: () => [
    {
      id: 'workload.run',
      title: 'Run workload',
      whyNot: whyNoRun,
      execute: () => editing.run(),
    },
    {
      id: 'workload.save',
      title: 'Workload: save as a file',
      execute: () => editing.save(),
    },
    {
      id: 'workload.reset',
      title: 'Workload: start over from the template',
      isEnabled: ({ workload }) => workload.source !== null,
      unlessEnabled: 'the template is unchanged',
      execute: () => editing.reset(),
    },
    ...templateNames.map(({ id, title }) => ({
      id: `workload.template.${id}`,
      title: `New workload from: ${title}`,
      execute: () => {
        editing.open(id);
        editing.begin();
      },
    })),
  ],
});

/** Creates the editor's model and adds its commands to the page. */
export function openWorkloads(ports: WorkloadPorts): WorkloadEditing {
  const editing = new WorkloadEditing(ports);
  ports.register(workloadCommands(editing));
  return editing;
}
