import { Panel } from '../../widgets/panel';
import { useExplorer, usePerform } from '../../widgets/session-context';
import { templateNames } from './template-names';

/** Offers workloads to start with. */
export function TemplatesPanel() {
  const perform = usePerform();
  const chosen = useExplorer(({ workload }) => (workload.source === null ? workload.template : null));
  return (
    <Panel title="Start from" className="workload-templates" note="Undo brings your text back">
      <ul>
        {templateNames.map(({ id, title, sentence }) => (
          <li key={id}>
            <button
              type="button"
              className="workload-template"
              aria-pressed={id === chosen}
              onClick={() => perform(`workload.template.${id}`)}
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
