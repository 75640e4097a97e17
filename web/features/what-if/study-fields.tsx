// Edits the settings of a study.
import { useMemo } from 'react';

import { counted } from '../../analysis/format';
import type { StudyKind } from '../../contract/draft';
import { engine_latches } from '../../contract/engine-latches';
import type { Fault } from '../../contract/fault';
import { fieldOrNull } from '../../session/draft';
import { timedActionInWords } from '../../session/timed-actions';
import { whatIfInWords } from '../../session/what-if-words';
import { formatSpan } from '../../widgets/batch-progress';
import { studiedRun } from '../../session/measured-run';
import { seedsRange } from '../../session/series-settings';
import { Choice, Options } from '../../widgets/choice';
import { MeasuredPartFields } from '../../widgets/measured-part-fields';
import { NumberField, TextField } from '../../widgets/number-field';
import { Panel } from '../../widgets/panel';
import { useExplorer, useModel } from '../../widgets/session-context';
import { CostChoice, HandOverChoice, LatchChoice } from './choices';
import {
  defaultStudy,
  PERCENT_DEFAULT,
  percents,
  scaleDefault,
  seedsDefault,
  topRange,
  TOP_DEFAULT,
} from './study-plan';

/** Returns the studied run; null while the next run has faults. */
function useStudiedRun() {
  const draftSpec = useExplorer((state) => state.draftSpec);
  const manifest = useExplorer((state) => state.scenario.manifest);
  const machine = useExplorer((state) => state.machine);
  return useMemo(() => draftSpec && studiedRun(draftSpec, manifest, machine), [draftSpec, manifest, machine]);
}

const kinds: { id: StudyKind; title: string }[] = [
  { id: 'profile', title: 'causal profile' },
  { id: 'curve', title: 'curve of one latch or cost' },
];

interface FieldsProps {
  faults: readonly Fault[];
}

export function StudySettingsPanel({ faults }: FieldsProps) {
  const studies = useModel('studies');
  const kind = useExplorer((state) => state.studySettings.kind);
  return (
    <Panel title="What if" note="on the virtual server, in virtual time">
      <div className="what-if-fields">
        <Choice
          title="Question"
          value={kind}
          onChange={(chosen) => studies.edit({ kind: chosen as StudyKind })}
        >
          <Options of={kinds} />
        </Choice>
        {kind === 'profile' ? <ProfileFields faults={faults} /> : <CurveFields faults={faults} />}
      </div>
      <RunFields faults={faults} />
      <StudiedRunNote />
    </Panel>
  );
}

function ProfileFields({ faults }: FieldsProps) {
  const studies = useModel('studies');
  const { percent, top } = useExplorer((state) => state.studySettings);
  return (
    <div className="parameters">
      <NumberField
        field="study.percent"
        title="Critical section length"
        unit="%"
        range={percents}
        value={percent ?? ''}
        placeholder={String(PERCENT_DEFAULT)}
        explanation="CPU work of a thread while it holds the latch, in percent of the original. A second run per latch makes the hand-off free."
        faults={faults}
        onChange={(value) => studies.edit({ percent: fieldOrNull(value) })}
      />
      <NumberField
        field="study.top"
        title="Latches"
        unit="most expensive"
        range={topRange}
        value={top ?? ''}
        placeholder={String(TOP_DEFAULT)}
        explanation="Each latch needs twice as many runs as the baseline."
        faults={faults}
        onChange={(value) => studies.edit({ top: fieldOrNull(value) })}
      />
    </div>
  );
}

const allLatches: Record<string, readonly string[]> = engine_latches;

function CurveFields({ faults }: FieldsProps) {
  const studies = useModel('studies');
  const { latch, site, hand_over, cost } = useExplorer((state) => state.studySettings);
  return (
    <>
      <LatchChoice
        name={latch ?? ''}
        onChange={(name) =>
          studies.edit({ latch: name === '' ? null : name, site: null, ...(name !== '' && { cost: null }) })
        }
      />
      {latch !== null && (
        <>
          <Choice
            title="Acquired in"
            value={site ?? ''}
            onChange={(chosen) =>
              studies.edit(
                chosen === '' ? { site: null } : { site: chosen, hand_over: defaultStudy.hand_over },
              )
            }
          >
            <option value="">all functions</option>
            <Options of={(allLatches[latch] ?? []).map((name) => ({ id: name, title: name }))} />
          </Choice>
          {site === null && (
            <HandOverChoice value={hand_over} onChange={(chosen) => studies.edit({ hand_over: chosen })} />
          )}
        </>
      )}
      <CostChoice
        id={cost ?? ''}
        onChange={(id) =>
          studies.edit(
            id === ''
              ? { cost: null }
              : { cost: id, latch: null, site: null, hand_over: defaultStudy.hand_over },
          )
        }
      />
      <ScaleField faults={faults} />
    </>
  );
}

function ScaleField({ faults }: FieldsProps) {
  const studies = useModel('studies');
  const { scale, cost, hand_over } = useExplorer((state) => state.studySettings);
  const fault = faults.find(({ field }) => field === 'study.scale');
  const isOnePoint = cost === null && hand_over !== defaultStudy.hand_over;
  return (
    <TextField
      title={cost === null ? 'Critical section, %' : 'Cost, %'}
      value={scale ?? ''}
      placeholder={isOnePoint ? 'unchanged' : scaleDefault.join(', ')}
      hint={`${percents.min} to ${percents.max} %, separated by commas`}
      error={fault && `must be ${fault.allowed}`}
      onChange={(text) => studies.edit({ scale: text === '' ? null : text })}
    />
  );
}

function RunFields({ faults }: FieldsProps) {
  const studies = useModel('studies');
  const { kind, seeds, from_s } = useExplorer((state) => state.studySettings);
  const run = useStudiedRun();
  return (
    <div className="parameters">
      <NumberField
        field="study.seeds"
        title="Seeds"
        unit="per point"
        range={seedsRange}
        value={seeds ?? ''}
        placeholder={String(seedsDefault[kind])}
        explanation="Runs with one seed are identical; different seeds show the effect of chance."
        faults={faults}
        onChange={(value) => studies.edit({ seeds: fieldOrNull(value) })}
      />
      <MeasuredPartFields
        usualDurationS={run?.spec.duration_s ?? null}
        fromField="study.from_s"
        fromS={from_s}
        fromPlaceholder={run === null ? '' : String(run.fromS)}
        fromExplanation="Earlier intervals are ignored. Leave empty to measure from this bug’s action."
        faults={faults}
        onFrom={(chosen) => studies.edit({ from_s: chosen })}
      />
    </div>
  );
}

/** Describes each run. */
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
        {counted(spec.threads, 'client')}, {formatSpan(spec.duration_s, true)}. Uses the design selected in
        the explorer.
      </p>
      {steps.length > 0 && <p>In each run: {steps.join('; ')}.</p>}
      {supposed !== null && <p>In each run, including the baseline: {supposed}.</p>}
    </div>
  );
}
