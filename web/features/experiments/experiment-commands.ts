// Comparisons and sweeps, as commands.
import type { Command, CommandSource } from '../../session/command-registry';
import { outcomeAsCsv, outcomeAsJson, type ExperimentOutcome } from './experiment-outcome';
import type { ExperimentKind } from './experiment-plan';
import { plannedExperiment, type Experiments } from './experiments';
import { refusalToStart } from '../../session/run-turn';
import { missingHere } from '../../session/store';
import type { ExperimentState } from './experiment-state';

const kinds: { kind: ExperimentKind; noun: string; verb: string }[] = [
  { kind: 'comparison', noun: 'comparison', verb: 'Compare' },
  { kind: 'sweep', noun: 'sweep', verb: 'Sweep' },
];

/** `save` gives the reader a file. */
export const experimentCommands = (
  experiments: Experiments,
  save: (name: string, content: Blob) => void,
): CommandSource<ExperimentState> => ({
  commands: () => [
    ...kinds.flatMap(({ kind, noun, verb }): Command<ExperimentState>[] => [
      {
        id: `${kind}.start`,
        title: verb,
        isEnabled: (state) => canStart(state, kind),
        unless_enabled: 'a run goes on, or a field is wrong',
        execute: async () => {
          await experiments.start(kind);
        },
      },
      {
        id: `${kind}.download_json`,
        title: `Save the ${noun} as JSON`,
        isEnabled: (state) => hasRuns(state, kind),
        unless_enabled: 'no run of one is there yet',
        execute: () => {
          saveOutcome(experiments.outcome(kind), 'json', save);
        },
      },
      {
        id: `${kind}.download_csv`,
        title: `Save the ${noun} as CSV`,
        isEnabled: (state) => hasRuns(state, kind),
        unless_enabled: 'no run of one is there yet',
        execute: () => {
          saveOutcome(experiments.outcome(kind), 'csv', save);
        },
      },
    ]),
    {
      id: 'batch.cancel',
      title: 'Cancel, keep what is there',
      isEnabled: ({ batch }) => batch !== null && !batch.is_cancelling,
      unless_enabled: 'no comparison or sweep goes on',
      execute: () => experiments.cancel(),
    },
  ],
});

function canStart(state: ExperimentState, kind: ExperimentKind): boolean {
  return (
    refusalToStart(state) === null && missingHere(state).length === 0 && plannedExperiment(state, kind).ok
  );
}

const hasRuns = (state: ExperimentState, kind: ExperimentKind) => (state[kind]?.runs.length ?? 0) > 0;

function saveOutcome(
  outcome: ExperimentOutcome | null,
  format: 'json' | 'csv',
  save: (name: string, content: Blob) => void,
): void {
  if (outcome === null) return;
  const { scenario, kind } = outcome.plan;
  const [text, type] =
    format === 'json' ? [outcomeAsJson(outcome), 'application/json'] : [outcomeAsCsv(outcome), 'text/csv'];
  save(`latchscope-${scenario}-${kind}.${format}`, new Blob([text], { type }));
}
