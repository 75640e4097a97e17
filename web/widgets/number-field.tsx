// Renders text and number fields of the next run.
import { useId, type ComponentProps } from 'react';

import type { Field } from '../contract/draft';
import { describeFaults, type Fault } from '../contract/fault';
import { fieldOf } from '../session/draft';
import { useExplorer } from './session-context';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  title: string;
  tooltip?: string | undefined;
  /** What the field accepts. */
  hint: string;
  /** Replaces the hint. */
  error: string | undefined;
  /** Shown below the hint. */
  explanation?: string | undefined;
  onChange: (value: string) => void;
}

/** Renders an input with its title above, and a hint or an error below. */
export function TextField({ title, tooltip, hint, error, explanation, onChange, ...input }: TextFieldProps) {
  const inputId = useId();
  const hintId = useId();
  const explanationId = useId();
  return (
    <div className="number-field">
      <label htmlFor={inputId} title={tooltip}>
        {title}
      </label>
      <input
        id={inputId}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        aria-invalid={error !== undefined}
        aria-describedby={explanation === undefined ? hintId : `${hintId} ${explanationId}`}
        onChange={({ target }) => onChange(target.value)}
        {...input}
      />
      <span id={hintId} className={error === undefined ? 'hint' : 'hint hint-error'}>
        {error ?? hint}
      </span>
      {explanation !== undefined && (
        <span id={explanationId} className="hint">
          {explanation}
        </span>
      )}
    </div>
  );
}

/** Shows faults that belong to no field of a form. */
export const OtherFaults = ({ faults }: { faults: readonly Fault[] }) =>
  describeFaults(faults).map((fault) => (
    <p key={fault} className="hint hint-error">
      {fault}
    </p>
  ));

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
export function NumberField(props: NumberFieldProps) {
  const { field, unit, range, explanation, isExplained = false, faults, onChange, ...input } = props;
  const error = useExplorer(({ draftErrors }) =>
    (faults ?? draftErrors).find((candidate) => candidate.field === field),
  );
  return (
    <TextField
      {...input}
      {...range}
      type="number"
      inputMode={undefined}
      autoComplete={undefined}
      step="any"
      hint={`${range.min.toLocaleString('en')} to ${range.max.toLocaleString('en')} ${unit}`.trim()}
      error={error && `must be ${error.allowed}`}
      tooltip={isExplained ? undefined : explanation}
      explanation={isExplained ? explanation : undefined}
      onChange={(value) => onChange(fieldOf(value))}
    />
  );
}
