import { counted } from '../../analysis/format';
import { useState, type ReactNode } from 'react';

import type { Field } from '../../contract/draft';
import type { Parameter } from '../../contract/manifest';
import { DURATION_S, INTERVAL_S, threadsRange, type ServerChoice } from '../../contract/run-spec';
import { describeServer, shapeOfServer } from '../../contract/servers';
import { differsFromRun, isLive, type ExplorerState } from '../../session/store';
import { timedActionInWords } from '../../session/timed-actions';
import { whatIfInWords } from '../../session/what-if-words';
import { CommandButton } from '../../widgets/command-button';
import { NumberField, OtherFaults } from '../../widgets/number-field';
import { Panel } from '../../widgets/panel';
import { Part } from '../../widgets/part';
import { useIsVirtual, useRunTime } from '../../widgets/run-time';
import { useExplorer, useSession } from '../../widgets/session-context';
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
      onToggle={(event) => setOpen(event.currentTarget.open)}
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
  const clients = draft.threads === '1' ? '1 client' : `${draft.threads} clients`;
  const server = draftSpec?.server;
  const supposed = whatIfInWords(draftSpec?.what_if) === null ? '' : ', with a what-if';
  return server === undefined ? clients : `${clients}, ${describeServer(server)}${supposed}`;
}

/** Edits the next run's parameters, from clients and duration to the scenario's own. */
export function ParametersPanel() {
  const session = useSession();
  const manifest = useExplorer((state) => state.scenario.manifest);
  const { parameters } = manifest;
  const isVirtual = useIsVirtual();
  const draft = useExplorer((state) => state.draft);
  const note = useExplorer((state) =>
    isLive(state.run_state) && differsFromRun(state) ? 'next run, changed' : 'next run',
  );
  const setParameter = (id: string) => (value: Field) => {
    session.editDraft({ parameters: { ...draft.parameters, [id]: value } });
  };
  return (
    <Panel title="Parameters" note={note}>
      <div className="parameters">
        <NumberField
          field="threads"
          title="Clients"
          unit="threads"
          range={threadsRange(manifest, draft.platform)}
          value={draft.threads}
          explanation={
            isVirtual
              ? 'Client threads on the modeled server. Default: as in the report.'
              : 'Client threads, each on a real thread. Default: at least one per core.'
          }
          onChange={(value) => session.editDraft({ threads: value })}
        />
        {parameters.map((parameter) => (
          <ParameterField
            key={parameter.id}
            parameter={parameter}
            value={draft.parameters[parameter.id] ?? ''}
            onChange={setParameter(parameter.id)}
          />
        ))}
        <NumberField
          field="duration_s"
          title="Stop after"
          unit={isVirtual ? 'virtual s' : 's'}
          range={{ min: 0, max: DURATION_S.max }}
          value={draft.duration_s ?? ''}
          placeholder="until stopped"
          explanation="Leave empty to run until you stop it."
          onChange={(value) => session.editDraft({ duration_s: value === '' ? null : value })}
        />
        {isVirtual && (
          <NumberField
            field="interval_s"
            title="Time scale"
            unit="virtual s"
            range={INTERVAL_S}
            value={draft.interval_s ?? ''}
            placeholder="1 to 1"
            explanation="Virtual time that represents one second of the report. A full virtual second would take too long to compute."
            onChange={(value) => session.editDraft({ interval_s: value === '' ? null : value })}
          />
        )}
      </div>
      <TimedActions />
    </Panel>
  );
}

interface ParameterFieldProps {
  parameter: Parameter;
  value: Field;
  onChange: (value: Field) => void;
}

/** Renders a parameter that can only be 0 or 1 as a switch. */
function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { id, title, unit, min, max, explanation } = parameter;
  if (min !== 0 || max !== 1)
    return (
      <NumberField
        field={`parameters.${id}`}
        range={{ min, max }}
        {...{ title, unit, value, explanation, onChange }}
      />
    );
  return (
    <label className="switch-field" title={explanation}>
      <span>{title}</span>
      <span className="switch-value">
        <input
          type="checkbox"
          checked={value === 1}
          onChange={({ target }) => onChange(target.checked ? 1 : 0)}
        />
        {value === 1 ? 'on (1)' : 'off (0)'}
      </span>
    </label>
  );
}

/**
 * Lists the timed actions of the next run, which come from a link, and lets the reader remove them.
 */
function TimedActions() {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const actions = useExplorer((state) => state.draft.actions);
  const errors = useExplorer((state) => state.draftErrors);
  const formatRunTime = useRunTime();
  if (actions.length === 0) return null;
  const faults = errors.filter(({ field }) => field.startsWith('actions'));
  return (
    <section className="timed-actions" aria-label="Timed actions">
      <p>Scheduled for the next run:</p>
      <ol>
        {actions.map((timed, place) => (
          <li key={place}>
            {timedActionInWords(timed, manifest)} at {formatRunTime(timed.at_s)}
          </li>
        ))}
      </ol>
      <OtherFaults faults={faults} />
      <CommandButton command="run.drop_actions" className="button-preset">
        Remove timed actions
      </CommandButton>
    </section>
  );
}

/** Describes the server of the next run, and opens the dialog that changes it. */
export function ServerPanel() {
  const server = useExplorer((state) => state.draft.server);
  const described = useExplorer(({ draftSpec }) => draftSpec?.server && serverInWords(draftSpec.server));
  const errors = useExplorer(({ draftErrors }) => draftErrors);
  if (server === null) return null;
  const changed = Object.keys(server.own).length;
  return (
    <Panel title="Server" note={changed === 0 ? 'preset' : `${counted(changed, 'value')} changed`}>
      {described !== undefined && <p className="hint">{described}</p>}
      <OtherFaults faults={errors.filter(({ field }) => /^server(\.|$)/.test(field))} />
      <div className="presets">
        <CommandButton command="page.server" className="button-preset">
          Change server
        </CommandButton>
      </div>
    </Panel>
  );
}

function serverInWords(server: ServerChoice): string {
  if (typeof server === 'string') return describeServer(server);
  const { sockets, cores_per_socket: cores } = shapeOfServer(server);
  return `${counted(sockets, 'socket')} × ${counted(cores, 'core')}, ${describeServer(server)}`;
}
