// Edits the next run's parameters, from clients and duration to the scenario's own.
import type { Field } from '../../contract/draft';
import type { Parameter } from '../../contract/manifest';
import { DURATION_S, INTERVAL_S, threadsRange } from '../../contract/run-spec';
import { isLive, differsFromRun } from '../../session/store';
import { NumberField } from '../../widgets/number-field';
import { Panel } from '../../widgets/panel';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer, useSession } from '../../widgets/session-context';
import { TimedActions } from './timed-actions';

export function ParametersPanel() {
  const session = useSession();
  const manifest = useExplorer((state) => state.scenario.manifest);
  const { parameters } = manifest;
  const isVirtual = useIsVirtual();
  const draft = useExplorer((state) => state.draft);
  const note = useExplorer((state) =>
    isLive(state.run_state) && differsFromRun(state) ? 'next run, changed' : 'next run',
  );
  const setParameter = (id: string) => (value: Field) => {
    session.editDraft({ parameters: { ...draft.parameters, [id]: value } });
  };
  return (
    <Panel title="Parameters" note={note}>
      <div className="parameters">
        <NumberField
          field="threads"
          title="Clients"
          unit="threads"
          range={threadsRange(manifest, draft.platform)}
          value={draft.threads}
          explanation={
            isVirtual
              ? 'Client threads on the modeled server. Default: as in the report.'
              : 'Client threads, each on a real thread. Default: at least one per core.'
          }
          onChange={(value) => {
            session.editDraft({ threads: value });
          }}
        />
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.id}
            parameter={parameter}
            value={draft.parameters[parameter.id] ?? ''}
            onChange={setParameter(parameter.id)}
          />
        ))}
        <NumberField
          field="duration_s"
          title="Stop after"
          unit={isVirtual ? 'virtual s' : 's'}
          range={{ min: 0, max: DURATION_S.max }}
          value={draft.duration_s ?? ''}
          placeholder="until stopped"
          explanation="Leave empty to run until you stop it."
          onChange={(value) => {
            session.editDraft({ duration_s: value === '' ? null : value });
          }}
        />
        {isVirtual && (
          <NumberField
            field="interval_s"
            title="Time scale"
            unit="virtual s"
            range={INTERVAL_S}
            value={draft.interval_s ?? ''}
            placeholder="1 to 1"
            explanation="Virtual time that represents one second of the report. A full virtual second would take too long to compute."
            onChange={(value) => {
              session.editDraft({ interval_s: value === '' ? null : value });
            }}
          />
        )}
      </div>
      <TimedActions />
    </Panel>
  );
}

interface ParameterFieldProps {
  parameter: Parameter;
  value: Field;
  onChange: (value: Field) => void;
}

/** Renders a parameter that can only be 0 or 1 as a switch. */
function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { id, title, unit, min, max, explanation } = parameter;
  if (min === 0 && max === 1) {
    return <SwitchField title={title} value={value} explanation={explanation} onChange={onChange} />;
  }
  return (
    <NumberField
      field={`parameters.${id}`}
      title={title}
      unit={unit}
      range={{ min, max }}
      value={value}
      explanation={explanation}
      onChange={onChange}
    />
  );
}

interface SwitchFieldProps {
  title: string;
  value: Field;
  explanation: string;
  onChange: (value: Field) => void;
}

function SwitchField({ title, value, explanation, onChange }: SwitchFieldProps) {
  const isOn = value === 1;
  return (
    <label className="switch-field" title={explanation}>
      <span>{title}</span>
      <span className="switch-value">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => {
            onChange(event.target.checked ? 1 : 0);
          }}
        />
        {isOn ? 'on (1)' : 'off (0)'}
      </span>
    </label>
  );
}
