import { families } from 'virtual:scenario-texts/processor-families';
import { useId, useLayoutEffect, useRef, useState } from 'react';

import { counted, formatDurationNs } from '../../analysis/format';
import type { Fault } from '../../contract/fault';
import { threadsRange } from '../../contract/run-spec';
import type { Family } from '../../contract/scenario-files/plausible-servers';
import { named_servers, namedServer } from '../../contract/servers';
import type { ServerField } from '../../contract/servers-file';
import { scenarioInShort, scenarioLabel } from '../../contract/scenario-names';
import { platformCommandId } from '../../session/commands';
import { unlessRefused } from '../../session/command-registry';
import { costFields, distinctFamilies, processorTitle, shapeFields } from '../../session/plausible-servers';
import { refusalToReplace } from '../../session/run-lock';
import { isLive, missingHere } from '../../session/store';
import { Choice, Options } from '../../widgets/choice';
import { CommandButton } from '../../widgets/command-button';
import { OtherFaults, TextField } from '../../widgets/number-field';
import { useExplorer, useParts, useSession } from '../../widgets/session-context';
import { clientsInWords, mainCosts, shapeInWords } from './cpus-in-use';
import {
  basisTitle,
  changeOf,
  formFaults,
  formOf,
  processorOf,
  rangeInWords,
  valuesOf,
  withFamily,
  withServer,
  withSuggestion,
  type Processor,
  type ServerForm,
} from './server-form';
import { ServerPreview } from './server-preview';
import './server.css';

const allFamilies = families as readonly Family[];
const offeredFamilies = distinctFamilies(allFamilies);

/** Asks for the server and the clients of the next run. Nothing changes before the reader applies. */
export default function ServerDialog() {
  const platform = useExplorer((state) => state.draft.platform);
  const scenario = useExplorer((state) => state.scenario.manifest.id);
  // Another platform has other defaults.
  return <ServerForm key={`${scenario} ${platform}`} />;
}

function ServerForm() {
  const session = useSession();
  const { draft, scenarios, machine, manifest, isRunning, isStage, canStart } = useParts((state) => ({
    draft: state.draft,
    scenarios: state.scenarios,
    machine: state.machine,
    manifest: state.scenario.manifest,
    isRunning: isLive(state.run_state),
    isStage: state.view === 'stage',
    canStart: missingHere(state).length === 0 && refusalToReplace(state) === null && state.series === null,
  }));
  const [form, setForm] = useState(() => {
    const { serverSuggested } = session.store.getState();
    const ofDraft = formOf(draft, manifest.virtual_server);
    return serverSuggested === null ? ofDraft : withSuggestion(ofDraft, serverSuggested, allFamilies);
  });
  const element = useRef<HTMLFormElement>(null);
  // The dialog opens after this, at the field with this attribute. React would not set it.
  useLayoutEffect(() => {
    const first = element.current!.querySelector('input')!;
    first.setAttribute('autofocus', '');
    first.focus();
  }, []);
  const isVirtual = draft.platform === 'virtual';
  const faults = formFaults(form, { draft, scenarios, machine });
  const isValid = faults.length === 0;
  const setValue = (id: string) => (text: string) =>
    setForm((before) => ({ ...before, values: { ...before.values, [id]: text } }));
  const apply = () => {
    if (!isValid) return false;
    session.editDraft(changeOf(form, draft));
    void session.commands.perform('dialog.close');
    // The stage shows the run of the report's server.
    if (isStage) session.openView('explorer');
    return true;
  };
  const applyAndSay = () => {
    if (apply()) session.store.setState({ announcement: isRunning ? APPLIED_DURING_RUN : APPLIED });
  };
  const applyAndRun = () => {
    if (!canStart || !apply()) return;
    const { draftSpec } = session.store.getState();
    if (draftSpec !== null) void unlessRefused(() => session.startRun(draftSpec));
  };
  return (
    <form
      ref={element}
      className="server-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        applyAndSay();
      }}
    >
      <header className="dialog-header">
        <h2>Server of the next run</h2>
        <span className="panel-note">{scenarioLabel(manifest)}</span>
      </header>
      <div className="server-body">
        <div className="server-fields">
          {isVirtual && (
            <>
              {shapeFields.map((field) => (
                <ValueField key={field.id} {...{ field, form, faults }} onChange={setValue(field.id)} />
              ))}
              <ProcessorChoice {...{ form, setForm }} />
            </>
          )}
          <FormField
            field="threads"
            title="Clients"
            hint={clientsHint(threadsRange(manifest, draft.platform))}
            value={form.clients}
            faults={faults}
            onChange={(clients) => setForm((before) => ({ ...before, clients }))}
          />
        </div>
        {isVirtual ? <Consequences {...{ form, faults }} /> : <RealThreads cores={machine.cores} />}
        {isVirtual && <Costs {...{ form, faults, setValue }} />}
        <OtherFaults
          faults={faults.filter(({ field }) => field.startsWith('what_if') || field === 'server')}
        />
        {isStage && (
          <p className="server-note">
            The stage plays the report’s server. Apply opens the instrument, where your server runs.
          </p>
        )}
        {!isStage && isRunning && (
          <p className="server-note">The current run keeps its server. The next run takes the new one.</p>
        )}
      </div>
      <footer className="server-buttons">
        <button type="submit" className="button button-main" aria-disabled={!isValid}>
          Apply
        </button>
        <button type="button" className="button" aria-disabled={!isValid || !canStart} onClick={applyAndRun}>
          {isRunning ? 'Apply and restart' : 'Apply and run'}
        </button>
        <CommandButton command="dialog.close">Cancel</CommandButton>
        {isVirtual && (
          <button
            type="button"
            className="button server-reset"
            onClick={() => setForm((before) => withServer(before, manifest.virtual_server))}
          >
            Report’s server
          </button>
        )}
      </footer>
    </form>
  );
}

const APPLIED = 'Server applied to the next run';
const APPLIED_DURING_RUN = 'Server applied to the next run; this run keeps its own';

const clientsHint = ({ min, max }: { min: number; max: number }) => `${min} to ${max.toLocaleString('en')}`;

interface FormFieldProps {
  /** Name of the field in a run spec. */
  field: string;
  title: string;
  hint: string;
  value: string;
  explanation?: string | undefined;
  tooltip?: string | undefined;
  faults: readonly Fault[];
  onChange: (text: string) => void;
}

/** Renders a field. Its error names the value and what is allowed. */
function FormField({ field, faults, ...input }: FormFieldProps) {
  const fault = faults.find((candidate) => candidate.field === field);
  return (
    <TextField
      {...input}
      type="number"
      inputMode={undefined}
      autoComplete={undefined}
      step="any"
      error={fault && errorOf(input.value, fault.allowed)}
    />
  );
}

const errorOf = (value: string, allowed: string) =>
  `${value === '' ? 'Not a number' : `${value} is not possible`}; allowed: ${allowed}`;

interface ValueFieldProps {
  field: ServerField;
  form: ServerForm;
  faults: readonly Fault[];
  isExplained?: boolean;
  onChange: (text: string) => void;
}

function ValueField({ field, form, faults, isExplained = false, onChange }: ValueFieldProps) {
  const { id, title, explanation, source } = field;
  return (
    <FormField
      field={`server.${id}`}
      title={title}
      hint={rangeInWords(field)}
      value={form.values[id]!}
      tooltip={isExplained ? undefined : explanation}
      explanation={isExplained ? `${explanation} Source: ${source}.` : undefined}
      {...{ faults, onChange }}
    />
  );
}

interface ProcessorChoiceProps {
  form: ServerForm;
  setForm: (change: (before: ServerForm) => ServerForm) => void;
}

/** Selects a processor family, or the whole server of a report. */
function ProcessorChoice({ form, setForm }: ProcessorChoiceProps) {
  const scenarios = useExplorer((state) => state.scenarios);
  const processor = processorOf(form, offeredFamilies);
  const bugsOf = (server: string) => {
    const bugs = scenarios.filter(
      ({ manifest }) => manifest.bug !== undefined && manifest.virtual_server === server,
    );
    return bugs.length === 0 ? '' : `${bugs.map(({ manifest }) => scenarioInShort(manifest)).join(', ')}: `;
  };
  const onChange = (value: string) => {
    const [kind, id] = value.split(':') as [Processor['kind'], string];
    const family = offeredFamilies.find((offered) => offered.id === id);
    setForm((before) => {
      if (kind === 'server') return withServer(before, id);
      return family === undefined ? before : withFamily(before, family);
    });
  };
  return (
    <Choice title="CPU family" value={valueOfChoice(processor)} onChange={onChange}>
      {processor.kind === 'own' && (
        <option value="own">
          {processor.hasOwnCosts ? 'Own costs, based on ' : ''}
          {basisTitle(form)}
        </option>
      )}
      <optgroup label="Families, with measured costs">
        <Options
          of={offeredFamilies.map(({ id, title }) => ({ id: `family:${id}`, title: processorTitle(title) }))}
        />
      </optgroup>
      <optgroup label="Servers of the reports, with cores and threads">
        <Options
          of={named_servers.map(({ id, title }) => ({
            id: `server:${id}`,
            title: `${bugsOf(id)}${processorTitle(title)}`,
          }))}
        />
      </optgroup>
    </Choice>
  );
}

const valueOfChoice = (processor: Processor) =>
  processor.kind === 'own' ? 'own' : `${processor.kind}:${processor.id}`;

interface ConsequencesProps {
  form: ServerForm;
  faults: readonly Fault[];
}

/** What follows from the last valid values: a drawing of the server, and what its distances cost. */
function Consequences({ form, faults }: ConsequencesProps) {
  const titleId = useId();
  const [shown, setShown] = useState<ServerForm | null>(null);
  const isValid = !faults.some(({ field }) => field.startsWith('server') || field === 'threads');
  if (isValid && form !== shown) setShown(form);
  if (shown === null) return null;
  const values = valuesOf(shown);
  const clients = Number(shown.clients);
  return (
    <section className="server-consequences" aria-labelledby={titleId} data-is-current={isValid}>
      <h3 id={titleId}>{shapeInWords(values)}</h3>
      <div className="server-drawn">
        <ServerPreview {...{ values, clients }} />
        <p>{isValid ? clientsInWords(values, clients) : 'These are the last valid values.'}</p>
      </div>
      <dl className="server-costs">
        {mainCosts(values).map(({ title, ns }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{formatDurationNs(ns)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function RealThreads({ cores }: { cores: number }) {
  return (
    <section className="server-consequences" aria-label="Platform">
      <p>
        This run uses real threads on the {counted(cores, 'core')} of this machine. Sockets, CPU family and
        costs belong to the virtual server.
      </p>
      <CommandButton command={platformCommandId('virtual')}>Use the virtual server</CommandButton>
    </section>
  );
}

interface CostsProps {
  form: ServerForm;
  faults: readonly Fault[];
  setValue: (id: string) => (text: string) => void;
}

/** Every cost with its range and its source. A fault opens it. */
function Costs({ form, faults, setValue }: CostsProps) {
  const [isOpened, setOpened] = useState(false);
  const hasFault = costFields.some(({ id }) => faults.some(({ field }) => field === `server.${id}`));
  const isOpen = isOpened || hasFault;
  return (
    <details
      className="server-all-costs"
      open={isOpen}
      onToggle={(event) => setOpened(event.currentTarget.open)}
    >
      <summary>Costs</summary>
      {isOpen && (
        <>
          <p className="hint">{originOfCosts(form)}</p>
          <div className="server-cost-fields">
            {costFields.map((field) => (
              <ValueField
                key={field.id}
                {...{ field, form, faults }}
                isExplained
                onChange={setValue(field.id)}
              />
            ))}
          </div>
        </>
      )}
    </details>
  );
}

function originOfCosts(form: ServerForm): string {
  const processor = processorOf(form, offeredFamilies);
  if (processor.kind !== 'family') return namedServer(form.basedOn)?.explanation ?? '';
  const { source } = offeredFamilies.find(({ id }) => id === processor.id)!;
  return `${sentence(source)} Costs that the family does not state are those of ${basisTitle(form)}.`;
}

const sentence = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}.`;
