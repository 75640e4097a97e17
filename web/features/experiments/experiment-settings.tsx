import { useMemo, type ReactNode } from 'react';

import type { ExperimentKind, Plan, PlannedRun, SweepSettings } from '../../contract/experiment-plan';
import type { Field } from '../../contract/draft';
import type { Fault } from '../../contract/fault';
import { designOf } from './batch';
import { remainingSeconds } from '../../session/batch';
import { measuredRunOf, type MeasuredRun } from '../../session/measured-run';
import { fieldOrNull } from '../../session/draft';
import { timedActionInWords } from '../../session/timed-actions';
import { whatIfInWords } from '../../session/what-if-words';
import { repeats_range } from '../../contract/experiment-plan';
import { unsteadyOf } from './experiment-outcome';
import { plannedExperiment, type PlannedFrom } from './experiments';
import type { ExperimentRun } from '../../contract/experiment-outcome';
import type { Parsed } from '../../contract/run-spec';
import { Outlook, StartPanel, formatSpan } from '../../widgets/batch-progress';
import { MeasuredPartFields } from '../../widgets/measured-part-fields';
import { NumberField } from '../../widgets/number-field';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer, useParts } from '../../widgets/session-context';

/** Returns the runs planned from the settings, or the settings' faults. */
export function usePlan(kind: ExperimentKind): Parsed<Plan> {
  const planned = useParts(plannedFrom);
  return useMemo(() => plannedExperiment(planned, kind), [planned, kind]);
}

const plannedFrom = (state: PlannedFrom): PlannedFrom => {
  const { draftSpec, draftErrors, scenario, machine, comparisonSettings, sweepSettings } = state;
  return { draftSpec, draftErrors, scenario, machine, comparisonSettings, sweepSettings };
};

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
        onChange={(value) => onChange({ repeats: fieldOrNull(value) })}
      />
      <MeasuredPartFields
        usualDurationS={usual?.spec.duration_s ?? null}
        fromField="from_s"
        fromS={fromS}
        fromPlaceholder={usual === null ? '' : usual.fromS === null ? 'settled' : String(usual.fromS)}
        fromExplanation="Earlier intervals are ignored. Leave empty to use the warm-up rule below."
        faults={faults}
        onFrom={(chosen) => onChange({ from_s: chosen })}
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

/** Starts a comparison or a sweep, and shows the expected time or the progress. */
export function StartExperimentPanel({ kind, plan }: { kind: ExperimentKind; plan: Parsed<Plan> }) {
  const batch = useExplorer((state) => state.batch);
  const inWords = ({ design, spec, repeat }: PlannedRun) => {
    const which = spec.platform === 'virtual' ? `seed ${spec.seed}` : `repeat ${repeat + 1}`;
    return [batch?.plan.designs[design]?.title, `${spec.threads} threads`, which].join(', ');
  };
  return (
    <StartPanel
      start={`${kind}.start`}
      cancel="batch.cancel"
      faults={faultsOf(plan)}
      progress={batch}
      inWords={inWords}
      outlook={plan.ok && <ExperimentOutlook plan={plan.value} />}
    />
  );
}

function ExperimentOutlook({ plan }: { plan: Plan }) {
  const { kind, runs, duration_s, scenario } = plan;
  const previous = useExplorer((state) => state[kind]);
  const isKnown =
    previous !== null && previous.plan.duration_s === duration_s && previous.plan.scenario === scenario;
  const oneByOneS = isKnown ? remainingSeconds(runs, previous.runs, designOf) : null;
  return <Outlook runs={runs.length} spec={plan} oneByOneS={oneByOneS} basis="the last runs" />;
}

/** Shows how many runs were still changing at their end, which makes their means meaningless. */
export function UnsteadyRuns({ runs }: { runs: readonly ExperimentRun[] }) {
  const count = unsteadyOf(runs).length;
  return count > 0 && ` ${count} of ${runs.length} runs had not settled; use longer runs.`;
}
