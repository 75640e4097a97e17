import { useState, type ReactNode } from 'react';

import { describeServer } from '../../contract/servers';
import { Part } from '../../widgets/part';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';
import type { ExplorerState } from '../../session/store';
import { whatIfInWords } from '../../session/what-if-words';
import { ParametersPanel } from './parameters-panel';
import { ServerPanel } from './server-panel';
import { VirtualTimeNote } from '../../widgets/virtual-time-controls';

interface SettingsDrawerProps {
  /** The next run's what-if, shown below the server on the virtual platform. */
  whatIf?: ReactNode;
}

/**
 * Contains the parameters and the server of the next run. A line summarizes them while it is
 * closed; a fault opens it.
 */
export function SettingsDrawer({ whatIf }: SettingsDrawerProps) {
  const [isOpen, setOpen] = useState(false);
  const hasFault = useExplorer(({ draftErrors }) => draftErrors.length > 0);
  const summary = useExplorer(inWords);
  const isVirtual = useIsVirtual();
  return (
    <details
      className="panel settings"
      open={isOpen || hasFault}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        <strong>Parameters</strong> <span className="settings-told">{summary}</span>
      </summary>
      <Part name="The parameters">
        <ParametersPanel />
      </Part>
      {isVirtual && (
        <>
          <Part name="The server">
            <ServerPanel />
          </Part>
          <Part name="What if">{whatIf}</Part>
          <VirtualTimeNote />
        </>
      )}
    </details>
  );
}

function inWords({ draft, draftSpec }: ExplorerState): string {
  const clients = `${draft.threads} clients`;
  const server = draftSpec?.server;
  const supposed = whatIfInWords(draftSpec?.what_if) === null ? '' : ', with a what-if';
  return server === undefined ? clients : `${clients}, ${describeServer(server)}${supposed}`;
}
