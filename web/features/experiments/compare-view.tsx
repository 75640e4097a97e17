import { secondDesign } from './experiment-plan';
import { threadsRange } from '../../contract/run-spec';
import { ComparisonResults } from './comparison-results';
import { DesignChoice } from '../../widgets/design-choice';
import { faultsOf, MeasuredPartNote, RunFields, StartExperimentPanel, usePlan } from './experiment-settings';
import { NumberField } from '../../widgets/number-field';
import { Panel } from '../../widgets/panel';
import { Part } from '../../widgets/part';
import { useExplorer, useModel, useSession } from '../../widgets/session-context';

/** Compares two designs in alternating runs, and shows whether one is faster. */
export default function CompareView() {
  const plan = usePlan('comparison');
  return (
    <main className="experiment">
      <div className="experiment-settings">
        <Part name="The comparison settings">
          <ComparisonSettingsPanel />
        </Part>
        <StartExperimentPanel kind="comparison" plan={plan} />
      </div>
      <Part name="The comparison">
        <ComparisonResults plan={plan} />
      </Part>
    </main>
  );
}

function ComparisonSettingsPanel() {
  const session = useSession();
  const experiments = useModel('experiments');
  const manifest = useExplorer((state) => state.scenario.manifest);
  const draft = useExplorer((state) => state.draft);
  const settings = useExplorer((state) => state.comparisonSettings);
  const faults = faultsOf(usePlan('comparison'));
  const second = secondDesign(draft.design, settings, manifest);
  return (
    <Panel
      title="Compare two designs"
      note={draft.platform === 'virtual' ? 'on the virtual server, in virtual time' : 'on this machine'}
    >
      <DesignChoice
        title="Design A"
        design={draft.design}
        otherThan={second}
        onChange={(design) => session.editDraft({ design })}
      />
      <DesignChoice
        title="Design B"
        design={second}
        otherThan={draft.design}
        onChange={(design) => experiments.editComparison({ with: design })}
      />
      <RunFields
        repeats={settings.repeats}
        fromS={settings.from_s}
        faults={faults}
        onChange={(change) => experiments.editComparison(change)}
      >
        <NumberField
          field="threads"
          title="Clients"
          unit="threads"
          range={threadsRange(manifest, draft.platform)}
          value={draft.threads}
          explanation="Client threads for both designs."
          faults={faults}
          onChange={(threads) => session.editDraft({ threads })}
        />
      </RunFields>
      <MeasuredPartNote />
    </Panel>
  );
}
