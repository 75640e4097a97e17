import { useMemo, type ReactNode } from 'react';

import type { ExperimentKind, Plan, PlannedRun, SweepSettings } from '../../contract/experiment-plan';
import type { Field } from '../../contract/draft';
import type { Fault } from '../../contract/fault';
import { designOf } from './batch';
import { remainingSeconds } from '../../session/batch';
import { measuredRunOf, type MeasuredRun } from '../../session/measured-run';
import { fieldOrNull } from '../../session/draft';
import { workersFor } from '../../session/run-series';
import { timedActionInWords } from '../../session/timed-actions';
import { whatIfInWords } from '../../session/what-if-words';
import { REPEATS } from './experiment-plan';
import { plannedExperiment } from './experiments';
import type { Parsed } from '../../contract/run-spec';
import type { ExperimentState } from './experiment-state';
import { CommandButton, WhyNot } from '../../widgets/command-button';
import { BatchProgressBar, PlanFaults, formatSpan, formatWaitS } from '../../widgets/batch-progress';
import { MeasuredPartFields } from '../../widgets/measured-part-fields';
import { NumberField } from '../../widgets/number-field';
import { Panel } from '../../widgets/panel';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';

/** Returns the runs planned from the settings, or the settings' faults. */
export function usePlan(kind: ExperimentKind): Parsed<Plan> {
  const draft_spec = useExplorer((state) => state.draftSpec);
  const draft_errors = useExplorer((state) => state.draftErrors);
  const scenario = useExplorer((state) => state.scenario);
  const machine = useExplorer((state) => state.machine);
  const comparison_settings = useExplorer((state: ExperimentState) => state.comparison_settings);
  const sweep_settings = useExplorer((state: ExperimentState) => state.sweep_settings);
  return useMemo(
    () =>
      plannedExperiment(
        {
          draftSpec: draft_spec,
          draftErrors: draft_errors,
          scenario,
          machine,
          comparison_settings,
          sweep_settings,
        },
        kind,
      ),
    [draft_spec, draft_errors, scenario, machine, comparison_settings, sweep_settings, kind],
  );
}

/** Returns the common settings of its runs; null while the next run has faults. */
function useMeasuredRun(): MeasuredRun | null {
  const draft_spec = useExplorer((state) => state.draftSpec);
  const manifest = useExplorer((state) => state.scenario.manifest);
  const machine = useExplorer((state) => state.machine);
  return useMemo(
    () => draft_spec && measuredRunOf(draft_spec, manifest, machine),
    [draft_spec, manifest, machine],
  );
}

export const faultsOf = (plan: Parsed<Plan>): readonly Fault[] => (plan.ok ? [] : plan.errors);

interface RunFieldsProps {
  repeats: Field | null;
  /** Default: the scenario's number. */
  repeats_by_default?: number;
  from_s: Field | null;
  faults: readonly Fault[];
  onChange: (change: Partial<Pick<SweepSettings, 'repeats' | 'from_s'>>) => void;
  /** The fields for one or more thread counts. */
  children: ReactNode;
}

/** Sets the number of repeats, the duration, and the measured part. */
export function RunFields({
  repeats,
  repeats_by_default,
  from_s,
  faults,
  onChange,
  children,
}: RunFieldsProps) {
  const is_virtual = useIsVirtual();
  const usual = useMeasuredRun();
  return (
    <div className="parameters">
      {children}
      <NumberField
        field="repeats"
        title={is_virtual ? 'Seeds' : 'Repeats'}
        unit={is_virtual ? 'per design' : 'runs per design'}
        range={REPEATS}
        value={repeats ?? ''}
        placeholder={String(repeats_by_default ?? usual?.repeats ?? '')}
        explanation={
          is_virtual
            ? 'Runs with one seed are identical; different seeds show the effect of chance.'
            : 'Runs of one design vary on a machine with other work.'
        }
        faults={faults}
        onChange={(value) => {
          onChange({ repeats: fieldOrNull(value) });
        }}
      />
      <MeasuredPartFields
        usualDurationS={usual?.spec.duration_s ?? null}
        fromField="from_s"
        fromS={from_s}
        fromPlaceholder={usual === null ? '' : usual.fromS === null ? 'settled' : String(usual.fromS)}
        fromExplanation="Earlier intervals are ignored. Leave empty to use the warm-up rule below."
        faults={faults}
        onFrom={(chosen) => {
          onChange({ from_s: chosen });
        }}
      />
    </div>
  );
}

const WARM_UP_RULE =
  'Ignored at the start: transactions begun before the last action, then the warm-up found by MSER-5 ' +
  '(batches of five of 60 intervals). If the two halves of the rest differ, the run is marked as not settled.';

/** Describes the measured part of a run. */
export function MeasuredPartNote() {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const { comparison, parameters } = manifest;
  const usual = useMeasuredRun();
  const is_virtual = useIsVirtual();
  if (usual === null) return null;
  const steps = usual.spec.actions.map(
    (timed) => `${timedActionInWords(timed, manifest)} at ${formatSpan(timed.at_s, is_virtual)}`,
  );
  const reduced = Object.entries(usual.reduced).map(([id, value]) => {
    const parameter = parameters.find((known) => known.id === id);
    return `${parameter?.title ?? id} ${value.toLocaleString('en')}`;
  });
  const what_if = whatIfInWords(usual.spec.what_if);
  return (
    <div className="experiment-note">
      {what_if !== null && <p>What if, in each run: {what_if}.</p>}
      {comparison !== undefined && <p>Measured: {lowerFirst(comparison.explanation)}</p>}
      {usual.fromS === null && <p>{WARM_UP_RULE}</p>}
      {steps.length > 0 && <p>In each run: {steps.join('; ')}.</p>}
      {reduced.length > 0 && (
        <p>To keep each run short: {reduced.join(', ')}. Values set in the explorer override these.</p>
      )}
    </div>
  );
}

const lowerFirst = (text: string) =>
  /^[A-Z]{2}/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);

/** Shows the start button, the expected time, and the progress. */
export function StartPanel({ kind, plan }: { kind: ExperimentKind; plan: Parsed<Plan> }) {
  const batch = useExplorer((state: ExperimentState) => state.batch);
  return (
    <Panel title={batch === null ? 'Run' : 'Running'} className="start-panel">
      <div>
        {batch === null ? (
          <CommandButton command={`${kind}.start`} className="button-main button-start" />
        ) : (
          <CommandButton command="batch.cancel" className="button-start" />
        )}
      </div>
      {batch === null && plan.ok && <WhyNot command={`${kind}.start`} />}
      {batch === null ? <Outlook kind={kind} plan={plan} /> : <Progress />}
    </Panel>
  );
}

function Outlook({ kind, plan }: { kind: ExperimentKind; plan: Parsed<Plan> }) {
  const previous = useExplorer((state: ExperimentState) => state[kind]);
  const machine = useExplorer((state) => state.machine);
  if (!plan.ok) return <PlanFaults faults={plan.errors} />;
  const { runs, duration_s, platform, scenario } = plan.value;
  const is_virtual = platform === 'virtual';
  const count = `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`;
  const each = formatSpan(duration_s, is_virtual);
  const is_known =
    previous !== null && previous.plan.duration_s === duration_s && previous.plan.scenario === scenario;
  const one_by_one_s = is_known ? remainingSeconds(runs, previous.runs, designOf) : null;
  const workers = Math.min(runs.length, workersFor(platform, machine));
  return (
    <p className="experiment-note">
      {count} of {each}, {workers === 1 ? 'one at a time' : `on ${workers} workers at once`}.{' '}
      {one_by_one_s !== null && (
        <span data-depends-on-host>
          About {formatWaitS(one_by_one_s / workers)} here, based on the last runs.
        </span>
      )}
      {one_by_one_s === null && !is_virtual && `At least ${formatWaitS(runs.length * duration_s)}.`}
      {one_by_one_s === null && is_virtual && 'The time estimate appears after the first run.'}
    </p>
  );
}

function Progress() {
  const batch = useExplorer((state: ExperimentState) => state.batch);
  if (batch === null) return null;
  const { plan } = batch;
  const inWords = ({ design, spec, repeat }: PlannedRun) => {
    const which = plan.platform === 'virtual' ? `seed ${spec.seed}` : `repeat ${repeat + 1}`;
    return [plan.designs[design]?.title, `${spec.threads} threads`, which].join(', ');
  };
  return <BatchProgressBar progress={batch} inWords={inWords} />;
}

/** Saves the outcome as files. */
export function SaveButtons({ kind }: { kind: ExperimentKind }) {
  return (
    <span className="save-buttons">
      <CommandButton command={`${kind}.download_csv`} className="button-preset">
        Save CSV
      </CommandButton>
      <CommandButton command={`${kind}.download_json`} className="button-preset">
        Save JSON
      </CommandButton>
    </span>
  );
}
