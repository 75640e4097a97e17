import { useState } from 'react';

import {
  describeMachine,
  serverOfDesign,
  serversWithCounts,
  type RealServers,
} from '../analysis/real-servers/beside';
import type { MeasuredServer } from '../analysis/real-servers/measured-server.mjs';
import { useExplorer } from './session-context';

export interface ServerChoice {
  entries: readonly MeasuredServer[];
  /** null where nothing was measured. */
  shown: MeasuredServer | null;
  choose: (server: MeasuredServer) => void;
}

/** The server that the reader has chosen; else the one that the design of the next run stands for. */
export function useServerChoice(known: RealServers): ServerChoice {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const draft_design = useExplorer((state) => state.draft.design);
  const [chosen, choose] = useState<MeasuredServer | null>(null);
  const entries = serversWithCounts(known);
  const design = { ...manifest.designs.original, ...draft_design };
  const is_there = chosen !== null && entries.includes(chosen);
  return { entries, shown: is_there ? chosen : serverOfDesign(entries, known, design), choose };
}

export function ServerSelect({ entries, shown, choose }: ServerChoice) {
  return (
    <label className="server-choice">
      Real server
      <select
        value={shown === null ? '' : entries.indexOf(shown)}
        onChange={({ target }) => {
          choose(entries[Number(target.value)]!);
        }}
      >
        {entries.map((server, index) => (
          <option key={index} value={index}>
            {describeMachine(server)}
          </option>
        ))}
      </select>
    </label>
  );
}
