// Defines the commands for comparisons and sweeps.
import type { Command, CommandSource } from '../../session/command-registry';
import type { ExperimentOutcome } from '../../contract/experiment-outcome';
import type { ExperimentKind } from '../../contract/experiment-plan';
import { plannedExperiment, type Experiments } from './experiments';
import type { ExplorerState } from '../../session/store';
import { whyNotStart } from '../../session/series-settings';
import { nameInFiles } from '../../session/run-description';

const kinds: { kind: ExperimentKind; noun: string; verb: string }[] = [
  { kind: 'comparison', noun: 'comparison', verb: 'Compare' },
  { kind: 'sweep', noun: 'sweep', verb: 'Sweep' },
];

const formats = ['json', 'csv'] as const;

/** `save` offers a file to the reader. */
export const experimentCommands = (
  experiments: Experiments,
  save: (name: string, content: Blob) => void,
): CommandSource => ({
  commands: () => [
    ...kinds.flatMap(({ kind, noun, verb }): Command[] => {
      const whyNot = (state: ExplorerState) => whyNotStart(state, () => plannedExperiment(state, kind));
      return [
        {
          id: `${kind}.start`,
          title: verb,
          whyNot,
          execute: async () => {
            await experiments.start(kind);
          },
        },
        ...formats.map((format): Command => ({
          id: `${kind}.download_${format}`,
          title: `Save the ${noun} as ${format.toUpperCase()}`,
          isEnabled: (state) => hasRuns(state, kind),
          unlessEnabled: 'no run has finished yet',
          execute: () => saveOutcome(experiments.outcome(kind), format, save),
        })),
      ];
    }),
    {
      id: 'sweep.threads_axis',
      title: 'Sweep: toggle log axis',
      isEnabled: (state) => hasRuns(state, 'sweep'),
      unlessEnabled: 'no sweep run has finished yet',
      execute: () => experiments.turnThreadsAxis(),
    },
    {
      id: 'batch.cancel',
      title: 'Cancel and keep results',
      isEnabled: ({ batch }) => batch !== null && !batch.isCancelling,
      unlessEnabled: 'no comparison or sweep is running',
      execute: () => experiments.cancel(),
    },
  ],
});

const hasRuns = (state: ExplorerState, kind: ExperimentKind) => (state[kind]?.runs.length ?? 0) > 0;

async function saveOutcome(
  outcome: ExperimentOutcome | null,
  format: 'json' | 'csv',
  save: (name: string, content: Blob) => void,
): Promise<void> {
  if (outcome === null) return;
  const { outcomeAsCsv, outcomeAsJson } = await import('./experiment-outcome');
  const { runs, scenario, kind } = outcome.plan;
  const [text, type] =
    format === 'json' ? [outcomeAsJson(outcome), 'application/json'] : [outcomeAsCsv(outcome), 'text/csv'];
  save(
    `latchscope-${nameInFiles(runs[0]?.spec ?? { scenario })}-${kind}.${format}`,
    new Blob([text], { type }),
  );
}
