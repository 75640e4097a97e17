import { useMemo } from 'react';

import type { Parsed } from '../../contract/run-spec';
import { platformCommandId } from '../../session/commands';
import { workersFor } from '../../session/run-series';
import { BatchProgressBar, formatSpan, formatWaitS, PlanFaults } from '../../widgets/batch-progress';
import { CommandButton, WhyNot } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { Part } from '../../widgets/part';
import { useExplorer } from '../../widgets/session-context';
import { plannedStudy } from './studies';
import { StudySettingsPanel } from './study-fields';
import { runsMax, type StudyPlan } from './study-plan';
import { StudyResults } from './study-results';
import './what-if.css';

/** Shows the causal profile of a bug, or a curve of one latch or cost. */
export default function WhatIfView() {
  const plan = useStudyPlan();
  return (
    <main className="experiment">
      <div className="experiment-settings">
        <Part name="The what-if settings">
          <StudySettingsPanel faults={plan.ok ? [] : plan.errors} />
        </Part>
        <StartPanel plan={plan} />
      </div>
      <div className="experiment-results">
        <Part name="The what-if">
          <StudyResults />
        </Part>
      </div>
    </main>
  );
}

function useStudyPlan(): Parsed<StudyPlan> {
  const draftSpec = useExplorer((state) => state.draftSpec);
  const draftErrors = useExplorer((state) => state.draftErrors);
  const scenario = useExplorer((state) => state.scenario);
  const scenarios = useExplorer((state) => state.scenarios);
  const machine = useExplorer((state) => state.machine);
  const studySettings = useExplorer((state) => state.studySettings);
  return useMemo(
    () =>
      plannedStudy({
        draftSpec,
        draftErrors,
        scenario,
        scenarios,
        machine,
        studySettings,
      }),
    [draftSpec, draftErrors, scenario, scenarios, machine, studySettings],
  );
}

function StartPanel({ plan }: { plan: Parsed<StudyPlan> }) {
  const progress = useExplorer((state) => state.studyProgress);
  const isVirtual = useExplorer((state) => state.draft.platform === 'virtual');
  return (
    <Panel title={progress === null ? 'Run' : 'Running'} className="start-panel">
      <CommandButton
        command={progress === null ? 'what_if.start' : 'what_if.cancel'}
        className={progress === null ? 'button-main button-start' : 'button-start'}
      >
        {progress === null ? 'Run' : 'Cancel and keep results'}
      </CommandButton>
      {progress === null && plan.ok && <WhyNot command="what_if.start" />}
      {!isVirtual && (
        <CommandButton command={platformCommandId('virtual')} className="button-preset">
          Switch to virtual server
        </CommandButton>
      )}
      {progress !== null && (
        <BatchProgressBar progress={progress} inWords={({ point, spec }) => `${point}, seed ${spec.seed}`} />
      )}
      {progress === null && (plan.ok ? <Outlook plan={plan.value} /> : <PlanFaults faults={plan.errors} />)}
    </Panel>
  );
}

/** Shows the number of runs, and the expected time on this machine. */
function Outlook({ plan }: { plan: StudyPlan }) {
  const machine = useExplorer((state) => state.machine);
  const tookS = useRunTakes(plan);
  const runs = runsMax(plan);
  const workers = Math.min(runs, workersFor('virtual', machine));
  const ofLatches = plan.kind === 'profile' ? `Up to ${runs} runs` : `${runs} ${runs === 1 ? 'run' : 'runs'}`;
  return (
    <p className="experiment-note">
      {ofLatches} of {formatSpan(plan.spec.duration_s, true)},{' '}
      {workers === 1 ? 'one at a time' : `on ${workers} workers at once`}.{' '}
      {tookS === null ? (
        'The time estimate appears after the first run.'
      ) : (
        <span data-depends-on-host>
          About {formatWaitS((tookS * runs) / workers)} here, based on the last run.
        </span>
      )}
    </p>
  );
}

/**
 * Returns the real seconds of one run: from the last study, or from the shown run's real time per
 * virtual second.
 */
function useRunTakes({ spec, scenario }: StudyPlan): number | null {
  const study = useExplorer((state) => state.study);
  const model = useExplorer((state) => state.model);
  if (
    study?.runTookS != null &&
    study.plan.scenario === scenario &&
    study.plan.spec.duration_s === spec.duration_s
  )
    return study.runTookS;
  if (model === null || model.run_ns === 0) return null;
  return (model.host_ms / model.run_ns) * spec.duration_s * 1e6;
}
