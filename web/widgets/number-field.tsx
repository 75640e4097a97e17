// Renders number fields of the next run.
import { useId } from 'react';

import type { Field } from '../contract/draft';
import type { Fault } from '../contract/fault';
import { fieldOf } from '../session/draft';
import { useExplorer } from './session-context';

export interface NumberFieldProps {
  /** Name of the field in a run spec. */
  field: string;
  title: string;
  unit: string;
  range: { min: number; max: number };
  value: Field;
  explanation: string;
  /** Shows the explanation below instead of in a tooltip. */
  isExplained?: boolean;
  placeholder?: string;
  /** Replaces the faults of the next run. */
  faults?: readonly Fault[];
  onChange: (value: Field) => void;
}

/** Renders a number of the next run, with its range or its faults below. */
export function NumberField({
  field,
  title,
  unit,
  range,
  value,
  explanation,
  isExplained = false,
  placeholder,
  faults,
  onChange,
}: NumberFieldProps) {
  const inputId = useId();
  const hintId = useId();
  const explanationId = useId();
  const error = useExplorer(({ draftErrors }) =>
    (faults ?? draftErrors).find((candidate) => candidate.field === field),
  );
  const hint = `${range.min.toLocaleString('en')} to ${range.max.toLocaleString('en')} ${unit}`.trim();
  return (
    <div className="number-field">
      <label htmlFor={inputId} title={isExplained ? undefined : explanation}>
        {title}
      </label>
      <input
        id={inputId}
        type="number"
        min={range.min}
        max={range.max}
        step="any"
        value={value}
        placeholder={placeholder}
        aria-invalid={error !== undefined}
        aria-describedby={isExplained ? `${hintId} ${explanationId}` : hintId}
        onChange={(event) => {
          onChange(fieldOf(event.target.value));
        }}
      />
      <span id={hintId} className={error === undefined ? 'hint' : 'hint hint-error'}>
        {error === undefined ? hint : `must be ${error.allowed}`}
      </span>
      {isExplained && (
        <span id={explanationId} className="hint">
          {explanation}
        </span>
      )}
    </div>
  );
}
