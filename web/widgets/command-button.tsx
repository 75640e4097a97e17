import { memo, type ReactNode } from 'react';

import { reasonAgainst } from '../session/command-registry';
import { useExplorer, useSession } from './session-context';

interface CommandButtonProps {
  command: string;
  className?: string;
  /** Replaces the command's title. */
  children?: ReactNode;
  title?: string;
  pressed?: boolean;
  /** The button leads to the present place of the reader. */
  isCurrent?: boolean;
}

/** Renders a button for one command. A disabled button keeps its place and the focus. */
export const CommandButton = memo(function CommandButton({
  command: id,
  className = '',
  children,
  title,
  pressed,
  isCurrent = false,
}: CommandButtonProps) {
  const { commands } = useSession();
  const command = useExplorer(() => commands.find(id).title);
  const isEnabled = useExplorer(() => commands.isEnabled(id));
  const onClick = () => {
    if (isEnabled) void commands.perform(id);
  };
  return (
    <button
      type="button"
      className={`button ${className}`}
      aria-disabled={!isEnabled}
      aria-pressed={pressed}
      aria-current={isCurrent ? 'page' : undefined}
      title={title}
      onClick={onClick}
    >
      {children ?? command}
    </button>
  );
});

/** Renders a button with a sign. Its label is for screen readers and, by default, in the tooltip. */
export const IconButton = (props: { command: string; sign: string; label: string; title?: string }) => (
  <CommandButton command={props.command} className="button-icon" title={props.title ?? props.label}>
    <span aria-hidden="true">{props.sign}</span>
    <span className="visually-hidden">{props.label}</span>
  </CommandButton>
);

/** Renders small buttons in a row, from command ids and their titles here. */
export const CommandRow = ({ of, className = '' }: { of: Record<string, string>; className?: string }) => (
  <p className={`button-row ${className}`}>
    {Object.entries(of).map(([command, title]) => (
      <CommandButton key={command} command={command} className="button-small">
        {title}
      </CommandButton>
    ))}
  </p>
);

/** Saves results as files. `of` is the first part of the ids of the commands. */
export const SaveButtons = ({ of }: { of: string }) => (
  <span className="save-buttons">
    {['CSV', 'JSON'].map((format) => (
      <CommandButton
        key={format}
        command={`${of}.download_${format.toLowerCase()}`}
        className="button-preset"
      >
        Save {format}
      </CommandButton>
    ))}
  </span>
);

/** Shows why the button is disabled. The list of faults shows faults of fields. */
export function WhyNot({ command: id }: { command: string }) {
  const { commands } = useSession();
  const reason = useExplorer((state) => reasonAgainst(commands.find(id), state));
  return reason !== null && <p className="experiment-note">{reason}</p>;
}
