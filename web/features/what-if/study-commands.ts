// Defines the commands for curves and causal profiles.
import type { Command, CommandSource } from '../../session/command-registry';
import { whyNotStart } from '../../session/series-settings';
import type { Session } from '../../session/session';
import type { ExplorerState } from '../../session/store';
import { nameInFiles } from '../../session/run-description';
import type { StudyOutcome } from './study-state';
import { plannedStudy, type Studies } from './studies';
import { shownOf } from './what-if';

/** `save` offers a file to the reader. */
export const studyCommands = (
  studies: Studies,
  session: Session,
  save: (name: string, content: Blob) => void,
): CommandSource => ({
  commands: () => [
    {
      id: 'what_if.start',
      title: 'Run what-if',
      whyNot,
      execute: async () => {
        await studies.start();
      },
    },
    {
      id: 'what_if.cancel',
      title: 'Cancel what-if, keep results',
      isEnabled: ({ studyProgress }) => studyProgress !== null && !studyProgress.isCancelling,
      unlessEnabled: 'no what-if is running',
      execute: () => studies.cancel(),
    },
    {
      id: 'what_if.profile',
      title: 'What if: causal profile',
      execute: () => {
        studies.edit({ kind: 'profile' });
        session.openView('what_if');
      },
    },
    {
      id: 'what_if.curve',
      title: 'What if: curve of the selected latch or cost',
      isEnabled: (state) => chosenOf(state) !== null,
      unlessEnabled: 'select one latch or one cost for the next run first',
      execute: () => {
        const chosen = chosenOf(session.store.getState());
        if (chosen === null) return;
        studies.edit({ kind: 'curve', site: null, scale: null, ...chosen });
        // A curve starts with the unchanged run.
        session.editDraft({ what_if: null });
        session.openView('what_if');
      },
    },
    ...(['json', 'csv'] as const).map((format): Command => ({
      id: `what_if.download_${format}`,
      title: `Save the what-if as ${format.toUpperCase()}`,
      isEnabled: ({ study }) => study !== null && study.report !== null,
      unlessEnabled: 'it has no results yet',
      execute: () => saveStudy(session.store.getState().study, format, save),
    })),
  ],
});

const whyNot = (state: ExplorerState) => whyNotStart(state, () => plannedStudy(state));

function chosenOf({ draft }: ExplorerState) {
  const shown = shownOf(draft.what_if);
  if (shown === null || (shown.latch === null) === (shown.cost === null)) return null;
  const { latch, cost } = shown;
  return latch === null
    ? { latch: null, hand_over: 'as_it_is' as const, cost: cost!.id }
    : { latch: latch.name, hand_over: latch.handOver, cost: null };
}

async function saveStudy(
  study: StudyOutcome | null,
  format: 'json' | 'csv',
  save: (name: string, content: Blob) => void,
): Promise<void> {
  if (study?.report == null) return;
  const { spec, kind } = study.plan;
  const [text, type] =
    format === 'json'
      ? [study.reportJson!, 'application/json']
      : [(await import('./study-csv')).studyAsCsv(study.report), 'text/csv'];
  save(`latchscope-${nameInFiles(spec)}-what-if-${kind}.${format}`, new Blob([text], { type }));
}
