import { useMemo } from 'react';

import type { Parsed } from '../../contract/run-spec';
import { platformCommandId } from '../../session/commands';
import { Outlook, StartPanel } from '../../widgets/batch-progress';
import { CommandButton } from '../../widgets/command-button';
import { Part } from '../../widgets/part';
import { useExplorer, useParts } from '../../widgets/session-context';
import { plannedStudy, type PlannedFrom } from './studies';
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
        <StartStudyPanel plan={plan} />
      </div>
      <div className="experiment-results">
        <Part name="The what-if">
          <StudyResults />
        </Part>
      </div>
    </main>
  );
}

const plannedFrom = (state: PlannedFrom): PlannedFrom => {
  const { draftSpec, draftErrors, scenario, scenarios, machine, studySettings } = state;
  return { draftSpec, draftErrors, scenario, scenarios, machine, studySettings };
};

function useStudyPlan(): Parsed<StudyPlan> {
  const planned = useParts(plannedFrom);
  return useMemo(() => plannedStudy(planned), [planned]);
}

function StartStudyPanel({ plan }: { plan: Parsed<StudyPlan> }) {
  const progress = useExplorer((state) => state.studyProgress);
  const isVirtual = useExplorer((state) => state.draft.platform === 'virtual');
  return (
    <StartPanel
      start="what_if.start"
      cancel="what_if.cancel"
      startTitle="Run"
      faults={plan.ok ? [] : plan.errors}
      progress={progress}
      inWords={({ point, spec }) => `${point}, seed ${spec.seed}`}
      outlook={plan.ok && <StudyOutlook plan={plan.value} />}
    >
      {!isVirtual && (
        <CommandButton command={platformCommandId('virtual')} className="button-preset">
          Switch to virtual server
        </CommandButton>
      )}
    </StartPanel>
  );
}

function StudyOutlook({ plan }: { plan: StudyPlan }) {
  const tookS = useRunTakes(plan);
  const runs = runsMax(plan);
  return (
    <Outlook
      runs={runs}
      isMost={plan.kind === 'profile'}
      spec={plan.spec}
      oneByOneS={tookS && tookS * runs}
      basis="the last run"
    />
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
