import { useState } from 'react';

import { Panel } from '../../widgets/panel';
import { useExplorer, usePerform } from '../../widgets/session-context';
import { templateNames } from './template-names';

/** Offers workloads to start with. Once the reader has written, on request. */
export function TemplatesPanel() {
  const perform = usePerform();
  const isWritten = useExplorer(({ workload }) => workload.source !== null);
  const chosen = useExplorer(({ workload }) => (workload.source === null ? workload.template : null));
  const [isAskedFor, setIsAskedFor] = useState(false);
  const choose = (id: string) => {
    setIsAskedFor(false);
    perform(`workload.template.${id}`);
  };
  if (isWritten && !isAskedFor) {
    return (
      <Panel
        title="Start from"
        className="workload-templates"
        note={
          <button type="button" className="button button-small" onClick={() => setIsAskedFor(true)}>
            Show templates
          </button>
        }
      >
        {null}
      </Panel>
    );
  }
  return (
    <Panel title="Start from" className="workload-templates" note="Undo brings your text back">
      <ul>
        {templateNames.map(({ id, title, sentence }) => (
          <li key={id}>
            <button
              type="button"
              className="workload-template"
              aria-pressed={id === chosen}
              onClick={() => choose(id)}
            >
              <strong>{title}</strong>
              <span>{sentence}</span>
            </button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
