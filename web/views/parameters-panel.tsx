import { useId } from 'react';

import { fieldOf, type Field } from '../state/draft';
import type { Parameter } from '../state/manifest';
import { DURATION_S_MAX } from '../state/run-spec';
import { isLive, differsFromRun } from '../state/store';
import { Panel } from './panel';
import { useExplorer, useSession } from './session-context';

export function ParametersPanel() {
  const session = useSession();
  const { parameters, threads } = useExplorer((state) => state.scenario.manifest);
  const draft = useExplorer((state) => state.draft);
  const note = useExplorer((state) => {
    if (!isLive(state.run_state)) return 'of the run';
    return differsFromRun(state) ? 'changed for the next run' : 'of the next run';
  });
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
          range={threads}
          value={draft.threads}
          explanation="Client threads, each on a thread of this machine. At least one for each core."
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
          unit="s"
          range={{ min: 0, max: DURATION_S_MAX }}
          value={draft.duration_s ?? ''}
          placeholder="until stopped"
          explanation="Empty: the run goes on until it is stopped."
          onChange={(value) => {
            session.editDraft({ duration_s: value === '' ? null : value });
          }}
        />
      </div>
    </Panel>
  );
}

interface ParameterFieldProps {
  parameter: Parameter;
  value: Field;
  onChange: (value: Field) => void;
}

/** A parameter that can only be 0 or 1 is a switch. */
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
  const is_on = value === 1;
  return (
    <label className="switch-field" title={explanation}>
      <span>{title}</span>
      <span className="switch-value">
        <input
          type="checkbox"
          checked={is_on}
          onChange={(event) => {
            onChange(event.target.checked ? 1 : 0);
          }}
        />
        {is_on ? 'on (1)' : 'off (0)'}
      </span>
    </label>
  );
}

interface NumberFieldProps {
  /** Name of the field in a run spec. */
  field: string;
  title: string;
  unit: string;
  range: { min: number; max: number };
  value: Field;
  explanation: string;
  placeholder?: string;
  onChange: (value: Field) => void;
}

function NumberField({
  field,
  title,
  unit,
  range,
  value,
  explanation,
  placeholder,
  onChange,
}: NumberFieldProps) {
  const input_id = useId();
  const hint_id = useId();
  const error = useExplorer(({ draft_errors }) =>
    draft_errors.find((candidate) => candidate.field === field),
  );
  const hint = `${range.min.toLocaleString('en')} to ${range.max.toLocaleString('en')} ${unit}`.trim();
  return (
    <div className="number-field">
      <label htmlFor={input_id} title={explanation}>
        {title}
      </label>
      <input
        id={input_id}
        type="number"
        min={range.min}
        max={range.max}
        step="any"
        value={value}
        placeholder={placeholder}
        aria-invalid={error !== undefined}
        aria-describedby={hint_id}
        onChange={(event) => {
          onChange(fieldOf(event.target.value));
        }}
      />
      <span id={hint_id} className={error === undefined ? 'hint' : 'hint hint-error'}>
        {error === undefined ? hint : `must be ${error.allowed}`}
      </span>
    </div>
  );
}
