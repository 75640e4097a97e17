import { lazy, Suspense, useId } from 'react';

import { printable } from '../../contract/fault';
import { namedDesigns } from '../../session/designs';
import { defaultCounts, defaultSweptDesigns, SWEEP_REPEATS, SWEPT_DESIGNS_MAX } from './experiment-plan';
import { threadsRange } from '../../contract/run-spec';
import { faultsOf, MeasuredPartNote, RunFields, StartExperimentPanel, usePlan } from './experiment-settings';
import { TextField } from '../../widgets/number-field';
import { Loading } from '../../widgets/loading';
import { Panel } from '../../widgets/panel';
import { Part } from '../../widgets/part';
import { useExplorer, useModel } from '../../widgets/session-context';
import { SweepResults } from './sweep-results';

/** Loaded with its counts when first shown. */
const SweepBeside = lazy(() => import('./sweep-on-real-servers'));

/** Shows the throughput of several designs against the number of client threads. */
export default function SweepView() {
  const plan = usePlan('sweep');
  return (
    <main className="experiment">
      <div className="experiment-settings">
        <Part name="The sweep settings">
          <SweepSettingsPanel />
        </Part>
        <StartExperimentPanel kind="sweep" plan={plan} />
      </div>
      <div className="experiment-results">
        <Part name="The sweep">
          <SweepResults plan={plan} />
        </Part>
        <Part name="Real servers">
          <Suspense fallback={<Loading />}>
            <SweepBeside />
          </Suspense>
        </Part>
      </div>
    </main>
  );
}

function SweepSettingsPanel() {
  const experiments = useModel('experiments');
  const platform = useExplorer((state) => state.draft.platform);
  const settings = useExplorer((state) => state.sweepSettings);
  const faults = faultsOf(usePlan('sweep'));
  return (
    <Panel
      title="Sweep over threads"
      note={platform === 'virtual' ? 'on the virtual server, in virtual time' : 'on this machine'}
    >
      <SweptDesigns />
      <CountsField />
      <RunFields
        repeats={settings.repeats}
        repeatsByDefault={SWEEP_REPEATS}
        fromS={settings.from_s}
        faults={faults}
        onChange={(change) => experiments.editSweep(change)}
      >
        {null}
      </RunFields>
      <MeasuredPartNote />
    </Panel>
  );
}

function SweptDesigns() {
  const experiments = useModel('experiments');
  const manifest = useExplorer((state) => state.scenario.manifest);
  const latch = useExplorer((state) => state.draft.latch);
  const chosen = useExplorer((state) => state.sweepSettings.designs) ?? defaultSweptDesigns(manifest);
  const hintId = useId();
  const fault = faultsOf(usePlan('sweep')).find(({ field }) => field === 'designs');
  const turn = (id: string, isOn: boolean) => {
    experiments.editSweep({
      designs: isOn ? [...chosen, id] : chosen.filter((known) => known !== id),
    });
  };
  return (
    <fieldset className="swept-designs" aria-describedby={hintId}>
      <legend>Designs</legend>
      {namedDesigns(manifest, latch).map(({ id, title, isPreset }) => (
        <label key={id}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ target }) => turn(id, target.checked)}
          />
          <span>
            {title}
            {!isPreset && <span className="muted"> (one change)</span>}
          </span>
        </label>
      ))}
      <span id={hintId} className={fault === undefined ? 'hint' : 'hint hint-error'}>
        {fault === undefined
          ? `Pick 1 to ${SWEPT_DESIGNS_MAX}`
          : `${fault.value} selected; pick 1 to ${SWEPT_DESIGNS_MAX}`}
      </span>
    </fieldset>
  );
}

function CountsField() {
  const experiments = useModel('experiments');
  const manifest = useExplorer((state) => state.scenario.manifest);
  const platform = useExplorer((state) => state.draft.platform);
  const machine = useExplorer((state) => state.machine);
  const counts = useExplorer((state) => state.sweepSettings.counts);
  const fault = faultsOf(usePlan('sweep')).find(({ field }) => field === 'counts');
  const { min, max } = threadsRange(manifest, platform);
  return (
    <TextField
      title="Thread counts"
      value={counts ?? defaultCounts(manifest, platform, machine).join(', ')}
      hint={`${min} to ${max} threads, separated by commas`}
      error={fault && `${printable(fault.value)}: must be ${fault.allowed}`}
      onChange={(text) => experiments.editSweep({ counts: text })}
    />
  );
}
