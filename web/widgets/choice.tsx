import { useId, type ReactNode } from 'react';

interface ChoiceProps {
  title: string;
  value: string;
  onChange: (value: string) => void;
  /** Its options. */
  children: ReactNode;
}

/** Selects one of several values from a list that opens. */
export function Choice({ title, value, onChange, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className="choice">
      <label htmlFor={id}>{title}</label>
      <select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        {children}
      </select>
    </div>
  );
}

interface OptionsProps {
  of: readonly { id: string; title: ReactNode }[];
}

/** The options of a list that opens. */
export const Options = ({ of }: OptionsProps) =>
  of.map(({ id, title }) => (
    <option key={id} value={id}>
      {title}
    </option>
  ));
