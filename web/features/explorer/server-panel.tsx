import { useState } from 'react';

import type { ServerDraft } from '../../contract/draft';
import { named_servers, namedServer, server_fields, valuesOfServer } from '../../contract/servers';
import { NumberField } from '../../widgets/number-field';
import { Panel } from '../../widgets/panel';
import { useExplorer, useSession } from '../../widgets/session-context';

/** Selects the modeled server, and edits each of its values. */
export function ServerPanel() {
  const server = useExplorer((state) => state.draft.server);
  const ownFault = useExplorer(({ draftErrors }) =>
    draftErrors.some(({ field }) => field.startsWith('server.')),
  );
  const changed = Object.keys(server?.own ?? {}).length;
  const [isOpen, setOpen] = useState(changed > 0);
  if (server === null) return null;
  return (
    <Panel
      title="Server"
      note={changed === 0 ? 'preset' : `${changed} ${changed === 1 ? 'value' : 'values'} changed`}
    >
      <NamedServerChoice server={server} />
      <details
        className="own-server"
        open={isOpen || ownFault}
        onToggle={(event) => {
          setOpen(event.currentTarget.open);
        }}
      >
        <summary>Edit server values</summary>
        <OwnServer server={server} />
      </details>
    </Panel>
  );
}

function NamedServerChoice({ server }: { server: ServerDraft }) {
  const session = useSession();
  return (
    <div className="named-server">
      <label>
        <span>{Object.keys(server.own).length === 0 ? 'Preset' : 'Based on'}</span>
        <select
          value={server.based_on}
          onChange={({ target }) => {
            session.editDraft({ server: { based_on: target.value, own: {} } });
          }}
        >
          {named_servers.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <p className="hint">{namedServer(server.based_on)?.explanation}</p>
    </div>
  );
}

function OwnServer({ server: { based_on, own } }: { server: ServerDraft }) {
  const session = useSession();
  const named = valuesOfServer(based_on);
  return (
    <div className="own-server-fields">
      {server_fields.map(({ id, title, unit, min, max, explanation, source }) => (
        <NumberField
          key={id}
          field={`server.${id}`}
          title={title}
          unit={unit}
          range={{ min, max }}
          value={own[id] ?? named[id]!}
          explanation={`${explanation} Source: ${source}.`}
          isExplained
          onChange={(value) => {
            const changed = Object.entries({ ...own, [id]: value }).filter(
              ([key, set]) => set !== named[key],
            );
            session.editDraft({ server: { based_on, own: Object.fromEntries(changed) } });
          }}
        />
      ))}
    </div>
  );
}
