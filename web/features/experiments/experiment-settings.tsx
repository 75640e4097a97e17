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
import { repeats_range } from '../../contract/experiment-plan';
import { plannedExperiment } from './experiments';
import type { Parsed } from '../../contract/run-spec';
import { CommandButton, WhyNot } from '../../widgets/command-button';
import { BatchProgressBar, PlanFaults, formatSpan, formatWaitS } from '../../widgets/batch-progress';
import { MeasuredPartFields } from '../../widgets/measured-part-fields';
import { NumberField } from '../../widgets/number-field';
import { Panel } from '../../widgets/panel';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';

/** Returns the runs planned from the settings, or the settings' faults. */
export function usePlan(kind: ExperimentKind): Parsed<Plan> {
  const draftSpec = useExplorer((state) => state.draftSpec);
  const draftErrors = useExplorer((state) => state.draftErrors);
  const scenario = useExplorer((state) => state.scenario);
  const machine = useExplorer((state) => state.machine);
  const comparisonSettings = useExplorer((state) => state.comparisonSettings);
  const sweepSettings = useExplorer((state) => state.sweepSettings);
  return useMemo(
    () =>
      plannedExperiment(
        {
          draftSpec,
          draftErrors,
          scenario,
          machine,
          comparisonSettings,
          sweepSettings,
        },
        kind,
      ),
    [draftSpec, draftErrors, scenario, machine, comparisonSettings, sweepSettings, kind],
  );
}

/** Returns the common settings of its runs; null while the next run has faults. */
function useMeasuredRun(): MeasuredRun | null {
  const draftSpec = useExplorer((state) => state.draftSpec);
  const manifest = useExplorer((state) => state.scenario.manifest);
  const machine = useExplorer((state) => state.machine);
  return useMemo(
    () => draftSpec && measuredRunOf(draftSpec, manifest, machine),
    [draftSpec, manifest, machine],
  );
}

export const faultsOf = (plan: Parsed<Plan>): readonly Fault[] => (plan.ok ? [] : plan.errors);

interface RunFieldsProps {
  repeats: Field | null;
  /** Default: the scenario's number. */
  repeatsByDefault?: number;
  fromS: Field | null;
  faults: readonly Fault[];
  onChange: (change: Partial<Pick<SweepSettings, 'repeats' | 'from_s'>>) => void;
  /** The fields for one or more thread counts. */
  children: ReactNode;
}

/** Sets the number of repeats, the duration, and the measured part. */
export function RunFields({ repeats, repeatsByDefault, fromS, faults, onChange, children }: RunFieldsProps) {
  const isVirtual = useIsVirtual();
  const usual = useMeasuredRun();
  return (
    <div className="parameters">
      {children}
      <NumberField
        field="repeats"
        title={isVirtual ? 'Seeds' : 'Repeats'}
        unit={isVirtual ? 'per design' : 'runs per design'}
        range={repeats_range}
        value={repeats ?? ''}
        placeholder={String(repeatsByDefault ?? usual?.repeats ?? '')}
        explanation={
          isVirtual
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
        fromS={fromS}
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
  const isVirtual = useIsVirtual();
  if (usual === null) return null;
  const steps = usual.spec.actions.map(
    (timed) => `${timedActionInWords(timed, manifest)} at ${formatSpan(timed.at_s, isVirtual)}`,
  );
  const reduced = Object.entries(usual.reduced).map(([id, value]) => {
    const parameter = parameters.find((known) => known.id === id);
    return `${parameter?.title ?? id} ${value.toLocaleString('en')}`;
  });
  const whatIf = whatIfInWords(usual.spec.what_if);
  return (
    <div className="experiment-note">
      {whatIf !== null && <p>What if, in each run: {whatIf}.</p>}
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
  const batch = useExplorer((state) => state.batch);
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
  const previous = useExplorer((state) => state[kind]);
  const machine = useExplorer((state) => state.machine);
  if (!plan.ok) return <PlanFaults faults={plan.errors} />;
  const { runs, duration_s, platform, scenario } = plan.value;
  const isVirtual = platform === 'virtual';
  const count = `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}`;
  const each = formatSpan(duration_s, isVirtual);
  const isKnown =
    previous !== null && previous.plan.duration_s === duration_s && previous.plan.scenario === scenario;
  const oneByOneS = isKnown ? remainingSeconds(runs, previous.runs, designOf) : null;
  const workers = Math.min(runs.length, workersFor(platform, machine));
  return (
    <p className="experiment-note">
      {count} of {each}, {workers === 1 ? 'one at a time' : `on ${workers} workers at once`}.{' '}
      {oneByOneS !== null && (
        <span data-depends-on-host>
          About {formatWaitS(oneByOneS / workers)} here, based on the last runs.
        </span>
      )}
      {oneByOneS === null && !isVirtual && `At least ${formatWaitS(runs.length * duration_s)}.`}
      {oneByOneS === null && isVirtual && 'The time estimate appears after the first run.'}
    </p>
  );
}

function Progress() {
  const batch = useExplorer((state) => state.batch);
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
