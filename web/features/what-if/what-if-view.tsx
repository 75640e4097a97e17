import { useMemo, useId } from 'react';

import { engine_latches } from '../../contract/engine-latches';
import type { Fault } from '../../contract/fault';
import { DURATION_S, type Parsed } from '../../contract/run-spec';
import type { Field } from '../../session/draft';
import { platformCommandId } from '../../session/commands';
import { workersFor } from '../../session/session';
import { timedActionInWords } from '../../session/timed-actions';
import { whatIfInWords } from '../../session/what-if-words';
import { BatchProgressBar, formatSpan, formatWait_s, PlanFaults } from '../../widgets/batch-progress';
import { Choice } from '../../widgets/choice';
import { CommandButton, WhyNot } from '../../widgets/command-button';
import { NumberField } from '../../widgets/number-field';
import { Panel } from '../../widgets/panel';
import { Part } from '../../widgets/part';
import { useExplorer, useSession } from '../../widgets/session-context';
import { CostChoice, HandOverChoice, LatchChoice } from './choices';
import { useStudies } from './studies-context';
import {
  default_study,
  PERCENT_DEFAULT,
  percents,
  runsMax,
  SCALE_DEFAULT,
  SEEDS,
  SEEDS_DEFAULT,
  studiedRun,
  TOP,
  TOP_DEFAULT,
  type StudyKind,
  type StudyPlan,
} from './study-plan';
import type { StudyState } from './study-state';
import { StudyResults } from './study-results';
import { plannedStudy } from './studies';
import './what-if.css';

/** The causal profile of a bug, or a curve of one latch or cost. */
export default function WhatIfView() {
  const plan = useStudyPlan();
  return (
    <main className="experiment">
      <div className="experiment-settings">
        <Part name="The settings of the what-if">
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
  const draft_spec = useExplorer((state) => state.draft_spec);
  const draft_errors = useExplorer((state) => state.draft_errors);
  const scenario = useExplorer((state) => state.scenario);
  const scenarios = useExplorer((state) => state.scenarios);
  const machine = useExplorer((state) => state.machine);
  const study_settings = useExplorer((state: StudyState) => state.study_settings);
  return useMemo(
    () => plannedStudy({ draft_spec, draft_errors, scenario, scenarios, machine, study_settings }),
    [draft_spec, draft_errors, scenario, scenarios, machine, study_settings],
  );
}

/** The run that is studied; null while the next run has faults. */
function useStudiedRun() {
  const draft_spec = useExplorer((state) => state.draft_spec);
  const manifest = useExplorer((state) => state.scenario.manifest);
  const machine = useExplorer((state) => state.machine);
  return useMemo(
    () => draft_spec && studiedRun(draft_spec, manifest, machine),
    [draft_spec, manifest, machine],
  );
}

const kind_titles: Record<StudyKind, string> = {
  profile: 'the causal profile of this bug',
  curve: 'a curve of one latch or cost',
};

interface FieldsProps {
  faults: readonly Fault[];
}

function StudySettingsPanel({ faults }: FieldsProps) {
  const studies = useStudies();
  const kind = useExplorer((state: StudyState) => state.study_settings.kind);
  return (
    <Panel title="What if" note="on the virtual server, in virtual time">
      <div className="what-if-fields">
        <Choice
          title="What to find out"
          value={kind}
          onChange={(chosen) => {
            studies.edit({ kind: chosen as StudyKind });
          }}
        >
          {Object.entries(kind_titles).map(([id, title]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </Choice>
        {kind === 'profile' ? <ProfileFields faults={faults} /> : <CurveFields />}
      </div>
      {kind === 'curve' && <ScaleField faults={faults} />}
      <RunFields faults={faults} />
      <StudiedRunNote />
    </Panel>
  );
}

const orNull = (value: Field) => (value === '' ? null : value);

function ProfileFields({ faults }: FieldsProps) {
  const studies = useStudies();
  const { percent, top } = useExplorer((state: StudyState) => state.study_settings);
  return (
    <div className="parameters">
      <NumberField
        field="study.percent"
        title="Sections of"
        unit="%"
        range={percents}
        value={percent ?? ''}
        placeholder={String(PERCENT_DEFAULT)}
        explanation="What CPU work costs a thread while it holds the latch. Beside it, the hand-over is made free."
        faults={faults}
        onChange={(value) => {
          studies.edit({ percent: orNull(value) });
        }}
      />
      <NumberField
        field="study.top"
        title="Latches"
        unit="that cost most"
        range={TOP}
        value={top ?? ''}
        placeholder={String(TOP_DEFAULT)}
        explanation="Each needs as many runs again as the run as it is, twice."
        faults={faults}
        onChange={(value) => {
          studies.edit({ top: orNull(value) });
        }}
      />
    </div>
  );
}

const all_latches: Record<string, readonly string[]> = engine_latches;

function CurveFields() {
  const studies = useStudies();
  const { latch, site, hand_over, cost } = useExplorer((state: StudyState) => state.study_settings);
  return (
    <>
      <LatchChoice
        name={latch ?? ''}
        onChange={(name) => {
          studies.edit({ latch: name === '' ? null : name, site: null, ...(name !== '' && { cost: null }) });
        }}
      />
      {latch !== null && (
        <>
          <Choice
            title="Where it is taken"
            value={site ?? ''}
            onChange={(chosen) => {
              studies.edit(
                chosen === '' ? { site: null } : { site: chosen, hand_over: default_study.hand_over },
              );
            }}
          >
            <option value="">everywhere</option>
            {(all_latches[latch] ?? []).map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Choice>
          {site === null && (
            <HandOverChoice
              value={hand_over}
              onChange={(chosen) => {
                studies.edit({ hand_over: chosen });
              }}
            />
          )}
        </>
      )}
      <CostChoice
        id={cost ?? ''}
        onChange={(id) => {
          studies.edit(
            id === ''
              ? { cost: null }
              : { cost: id, latch: null, site: null, hand_over: default_study.hand_over },
          );
        }}
      />
    </>
  );
}

function ScaleField({ faults }: FieldsProps) {
  const studies = useStudies();
  const { scale, cost, hand_over } = useExplorer((state: StudyState) => state.study_settings);
  const input_id = useId();
  const hint_id = useId();
  const fault = faults.find(({ field }) => field === 'study.scale');
  const is_one_point = cost === null && hand_over !== default_study.hand_over;
  return (
    <div className="number-field">
      <label htmlFor={input_id}>{cost === null ? 'Section, %' : 'Cost, %'}</label>
      <input
        id={input_id}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        value={scale ?? ''}
        placeholder={is_one_point ? 'as it is' : SCALE_DEFAULT.join(', ')}
        aria-invalid={fault !== undefined}
        aria-describedby={hint_id}
        onChange={({ target }) => {
          studies.edit({ scale: target.value === '' ? null : target.value });
        }}
      />
      <span id={hint_id} className={fault === undefined ? 'hint' : 'hint hint-error'}>
        {fault === undefined
          ? `${percents.min} to ${percents.max} %, separated by commas`
          : `must be ${fault.allowed}`}
      </span>
    </div>
  );
}

function RunFields({ faults }: FieldsProps) {
  const session = useSession();
  const studies = useStudies();
  const { kind, seeds, from_s } = useExplorer((state: StudyState) => state.study_settings);
  const duration_s = useExplorer((state) => state.draft.duration_s);
  const run = useStudiedRun();
  return (
    <div className="parameters">
      <NumberField
        field="study.seeds"
        title="Seeds"
        unit="of each point"
        range={SEEDS}
        value={seeds ?? ''}
        placeholder={String(SEEDS_DEFAULT[kind])}
        explanation="A modelled run is the same each time; runs with different seeds show the effect of chance."
        faults={faults}
        onChange={(value) => {
          studies.edit({ seeds: orNull(value) });
        }}
      />
      <NumberField
        field="duration_s"
        title="A run takes"
        unit="s"
        range={{ min: 0, max: DURATION_S.max }}
        value={duration_s ?? ''}
        placeholder={run === null ? '' : String(run.spec.duration_s)}
        explanation="Empty: as long as this bug needs to show."
        faults={faults}
        onChange={(value) => {
          session.editDraft({ duration_s: orNull(value) });
        }}
      />
      <NumberField
        field="study.from_s"
        title="It counts from"
        unit="s"
        range={{ min: 0, max: run?.spec.duration_s ?? DURATION_S.max }}
        value={from_s ?? ''}
        placeholder={run === null ? '' : String(run.from_s)}
        explanation="What comes before is left out. Empty: what this bug does after its action."
        faults={faults}
        onChange={(value) => {
          studies.edit({ from_s: orNull(value) });
        }}
      />
    </div>
  );
}

/** What each run is, in words. */
function StudiedRunNote() {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const run = useStudiedRun();
  if (run === null) return null;
  const { spec } = run;
  const steps = spec.actions.map(
    (timed) => `${timedActionInWords(timed, manifest)} at ${formatSpan(timed.at_s, true)}`,
  );
  const supposed = whatIfInWords(spec.what_if);
  return (
    <div className="experiment-note">
      <p>
        {spec.threads} clients, {formatSpan(spec.duration_s, true)}. The design is the one that is chosen in
        the explorer.
      </p>
      {steps.length > 0 && <p>In each run: {steps.join('; ')}.</p>}
      {supposed !== null && <p>In each run, the one as it is included: {supposed}.</p>}
    </div>
  );
}

function StartPanel({ plan }: { plan: Parsed<StudyPlan> }) {
  const progress = useExplorer((state: StudyState) => state.study_progress);
  const is_virtual = useExplorer((state) => state.draft.platform === 'virtual');
  return (
    <Panel title={progress === null ? 'Run it' : 'Running'} className="start-panel">
      <CommandButton
        command={progress === null ? 'what_if.start' : 'what_if.cancel'}
        className={progress === null ? 'button-main button-start' : 'button-start'}
      >
        {progress === null ? 'Run' : 'Cancel, keep the results so far'}
      </CommandButton>
      {progress === null && plan.ok && <WhyNot command="what_if.start" />}
      {!is_virtual && (
        <CommandButton command={platformCommandId('virtual')} className="button-preset">
          Change to the virtual server
        </CommandButton>
      )}
      {progress !== null && (
        <BatchProgressBar progress={progress} inWords={({ point, spec }) => `${point}, seed ${spec.seed}`} />
      )}
      {progress === null && (plan.ok ? <Outlook plan={plan.value} /> : <PlanFaults faults={plan.errors} />)}
    </Panel>
  );
}

/** How many runs, and how long they will take here. */
function Outlook({ plan }: { plan: StudyPlan }) {
  const machine = useExplorer((state) => state.machine);
  const took_s = useRunTakes(plan);
  const runs = runsMax(plan);
  const workers = Math.min(runs, workersFor('virtual', machine));
  const of_latches =
    plan.kind === 'profile' ? `Up to ${runs} runs` : `${runs} ${runs === 1 ? 'run' : 'runs'}`;
  return (
    <p className="experiment-note">
      {of_latches} of {formatSpan(plan.spec.duration_s, true)},{' '}
      {workers === 1 ? 'one after the other' : `on ${workers} workers at once`}.{' '}
      {took_s === null ? (
        'How long they take here is known after the first.'
      ) : (
        <span data-depends-on-host>
          About {formatWait_s((took_s * runs) / workers)} here, as the last run took.
        </span>
      )}
    </p>
  );
}

/** Real seconds of one run: as those of the last study took, or as the run that is shown has taken for each virtual second. */
function useRunTakes({ spec, scenario }: StudyPlan): number | null {
  const study = useExplorer((state: StudyState) => state.study);
  const model = useExplorer((state) => state.model);
  if (
    study?.run_took_s != null &&
    study.plan.scenario === scenario &&
    study.plan.spec.duration_s === spec.duration_s
  )
    return study.run_took_s;
  if (model === null || model.run_ns === 0) return null;
  return (model.host_ms / model.run_ns) * spec.duration_s * 1e6;
}
