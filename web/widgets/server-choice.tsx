// Selects the real server to compare with.
import { useState } from 'react';

import {
  describeMachine,
  serverOfDesign,
  serversWithCounts,
  type RealServers,
} from '../analysis/real-servers/count-tables';
import type { MeasuredServer } from '../contract/real-servers/measured-server.mjs';
import { measuredFileShown, type MeasuredFile } from '../session/store';
import { Options } from './choice';
import { CommandButton } from './command-button';
import { useExplorer } from './session-context';

interface ServerChoice {
  entries: readonly MeasuredServer[];
  /** The server of the file that the reader has opened. */
  opened: MeasuredFile | null;
  /** null without measurements. */
  shown: MeasuredServer | null;
  choose: (server: MeasuredServer) => void;
}

/**
 * Returns the server that the reader has chosen or opened last, else the server with the next run's
 * design.
 */
export function useServerChoice(known: RealServers): ServerChoice {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const draftDesign = useExplorer((state) => state.draft.design);
  const opened = useExplorer(measuredFileShown);
  const [choice, setChoice] = useState<{ server: MeasuredServer; opened: MeasuredFile | null } | null>(null);
  const measuredHere = serversWithCounts(known);
  const entries = opened === null ? measuredHere : [opened.server, ...measuredHere];
  const design = { ...manifest.designs.original, ...draftDesign };
  const chosen = choice !== null && choice.opened === opened ? choice.server : null;
  return {
    entries,
    opened,
    shown: chosen ?? opened?.server ?? serverOfDesign(measuredHere, known, design),
    choose: (server) => setChoice({ server, opened }),
  };
}

/** Selects the shown server, and explains how to open a measured file. */
export function ServerSelect({ entries, opened, shown, choose }: ServerChoice) {
  return (
    <div className="server-choice">
      <label>
        Real server
        <select
          value={shown === null ? '' : entries.indexOf(shown)}
          onChange={({ target }) => choose(entries[Number(target.value)]!)}
        >
          <Options
            of={entries.map((server, index) => ({
              id: String(index),
              title: (server === opened?.server ? `${opened.name}: ` : '') + describeMachine(server),
            }))}
          />
        </select>
      </label>
      <span className="server-files">
        <CommandButton command="measured.open" className="button-preset" />
        {opened !== null && <CommandButton command="measured.close" className="button-preset" />}
        <span className="muted">
          or drop a file from <code>npm run real-servers</code> here. It stays in this browser.
        </span>
      </span>
    </div>
  );
}
