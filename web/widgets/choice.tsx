import { useId, type ReactNode } from 'react';

interface ChoiceProps {
  title: string;
  value: string;
  onChange: (value: string) => void;
  children: ReactNode;
}

/** Selects one of several values from a list that opens. */
export function Choice({ title, value, onChange, children }: ChoiceProps) {
  const id = useId();
  return (
    <div className="choice">
      <label htmlFor={id}>{title}</label>
      <select
        id={id}
        value={value}
        onChange={({ target }) => {
          onChange(target.value);
        }}
      >
        {children}
      </select>
    </div>
  );
}
