// Comparisons and sweeps, as commands.
import type { Command } from '../../session/commands';
import { downloadText } from '../../browser/download';
import { outcomeAsCsv, outcomeAsJson } from './experiment-outcome';
import type { ExperimentKind } from './experiment-plan';
import { plannedExperiment } from './experiments';
import { refusalToStart } from '../../session/run-turn';
import { missingHere, type ExplorerState } from '../../session/store';

const kinds: { kind: ExperimentKind; noun: string; verb: string }[] = [
  { kind: 'comparison', noun: 'comparison', verb: 'Compare' },
  { kind: 'sweep', noun: 'sweep', verb: 'Sweep' },
];

export const experiment_commands: Command[] = [
  ...kinds.flatMap(({ kind, noun, verb }): Command[] => [
    {
      id: `${kind}.start`,
      title: verb,
      isEnabled: (state) => canStart(state, kind),
      unless_enabled: 'a run goes on, or a field is wrong',
      execute: async (session) => {
        await session.experiments.start(kind);
      },
    },
    {
      id: `${kind}.download_json`,
      title: `Save the ${noun} as JSON`,
      isEnabled: (state) => hasRuns(state, kind),
      unless_enabled: 'no run of one is there yet',
      execute: ({ store }) => {
        save(store.getState(), kind, 'json');
      },
    },
    {
      id: `${kind}.download_csv`,
      title: `Save the ${noun} as CSV`,
      isEnabled: (state) => hasRuns(state, kind),
      unless_enabled: 'no run of one is there yet',
      execute: ({ store }) => {
        save(store.getState(), kind, 'csv');
      },
    },
  ]),
  {
    id: 'batch.cancel',
    title: 'Cancel, keep what is there',
    isEnabled: ({ batch }) => batch !== null && !batch.is_cancelling,
    unless_enabled: 'no comparison or sweep goes on',
    execute: (session) => session.experiments.cancel(),
  },
];

function canStart(state: ExplorerState, kind: ExperimentKind): boolean {
  return (
    refusalToStart(state) === null && missingHere(state).length === 0 && plannedExperiment(state, kind).ok
  );
}

const hasRuns = (state: ExplorerState, kind: ExperimentKind) => (state[kind]?.runs.length ?? 0) > 0;

function save(state: ExplorerState, kind: ExperimentKind, format: 'json' | 'csv'): void {
  const outcome = state[kind];
  if (outcome === null) return;
  const name = `latchscope-${outcome.plan.scenario}-${kind}.${format}`;
  if (format === 'json') downloadText(name, 'application/json', outcomeAsJson(outcome));
  else downloadText(name, 'text/csv', outcomeAsCsv(outcome));
}
