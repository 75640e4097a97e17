import { useState, type ReactNode } from 'react';

import type { ImportReport } from '../../contract/import-report';
import type { Fault } from '../../contract/fault';
import { counted, formatFigure, formatShare } from '../../analysis/format';
import { defaultRunSpec, threadsRange } from '../../contract/run-spec';
import type { ServerField } from '../../contract/servers-file';
import { valuesOfServer } from '../../contract/servers';
import { scenarioInShort, scenarioInWords } from '../../contract/scenario-names';
import { unlessRefused } from '../../session/command-registry';
import { fieldOf } from '../../session/draft';
import { processorTitle, shapeFields } from '../../session/plausible-servers';
import { BatchProgressBar } from '../../widgets/batch-progress';
import { Choice, Options } from '../../widgets/choice';
import { CommandButton } from '../../widgets/command-button';
import { EvidenceNote } from '../../widgets/evidence-note';
import { OtherFaults, TextField } from '../../widgets/number-field';
import { Panel } from '../../widgets/panel';
import { useExplorer, useModel, useParts, useSession } from '../../widgets/session-context';
import { Table } from '../../widgets/table';
import { modeledLatches, type ModeledLatch, type ModelRequest } from './modeled-latches';
import {
  isOfPanel,
  offeredFamilies,
  planModel,
  sharedLatches,
  type ModelOutcome,
  type ModelRun,
  type Range,
} from './model-runs';

/** Runs the bug of a latch on servers like the reader's, and shows its waits beside the reader's. */
export function ModelPanel({ report }: { report: ImportReport }) {
  const scenarios = useExplorer((state) => state.scenarios);
  const latches = modeledLatches(report, scenarios);
  const { outcome, progress } = useParts((state) => ({
    outcome: state.modelOutcome,
    progress: state.modelProgress,
  }));
  const [place, setPlace] = useState(0);
  const modeled = latches[place] ?? latches[0];
  if (modeled === undefined) return null;
  const isShown = outcome !== null && latches.some((one) => isSame(one, outcome.modeled));
  return (
    <Panel title="On a server like yours" remark="a model of the bug, with the load of its report">
      <div className="waits-model">
        {latches.length > 1 && (
          <LatchChoice latches={latches} place={latches.indexOf(modeled)} onChange={setPlace} />
        )}
        <ModelForm key={modeled.scenario} modeled={modeled} />
        <BatchProgressBar progress={progress} inWords={runInWords} />
        {isShown && <Outcome outcome={outcome} report={report} />}
      </div>
    </Panel>
  );
}

const isSame = (a: ModeledLatch, b: ModeledLatch) => a.scenario === b.scenario && a.latch === b.latch;

const changesInWords: Record<ModelRun['change'], string> = {
  none: 'as reported',
  latch_is_free: 'the latch costs nothing',
  fixed_design: 'fixed design',
};

const runInWords = ({ server, change }: ModelRun) => `${server}: ${changesInWords[change]}`;

interface LatchChoiceProps {
  latches: readonly ModeledLatch[];
  place: number;
  onChange: (place: number) => void;
}

function LatchChoice({ latches, place, onChange }: LatchChoiceProps) {
  const scenarios = useExplorer((state) => state.scenarios);
  const inShort = (id: string) =>
    scenarioInShort(scenarios.find(({ manifest }) => manifest.id === id)!.manifest);
  return (
    <Choice title="Latch" value={String(place)} onChange={(value) => onChange(Number(value))}>
      <Options
        of={latches.map(({ name, scenario, role }, number) => ({
          id: String(number),
          title: `${name}: ${role === 'cause' ? 'bug' : 'on the path of bug'} ${inShort(scenario)}`,
        }))}
      />
    </Choice>
  );
}

const UNKNOWN = '';

const families = [
  { id: UNKNOWN, title: `Not known: ${offeredFamilies.length} families` },
  ...offeredFamilies.map(({ id, title }) => ({ id, title: processorTitle(title) })),
];

function ModelForm({ modeled }: { modeled: ModeledLatch }) {
  const model = useModel('latchModel');
  const conditions = useParts((state) => ({ scenarios: state.scenarios, machine: state.machine }));
  const isRunning = useExplorer((state) => state.modelProgress !== null);
  const hasEngine = useExplorer((state) => state.missing.virtual.length === 0);
  const { manifest } = conditions.scenarios.find((scenario) => scenario.manifest.id === modeled.scenario)!;
  const [typed, setTyped] = useState(() => {
    const values = valuesOfServer(manifest.virtual_server);
    return {
      family: UNKNOWN,
      shape: Object.fromEntries(shapeFields.map(({ id }) => [id, String(values[id])])),
      clients: String(defaultRunSpec(manifest, conditions.machine, 'virtual').threads),
    };
  });
  const request: ModelRequest = { ...typed, modeled, family: typed.family === UNKNOWN ? null : typed.family };
  const plan = planModel(request, conditions);
  const faults = plan.ok ? [] : plan.errors;
  const range = threadsRange(manifest, 'virtual');
  const setShape = (id: string) => (text: string) =>
    setTyped((before) => ({ ...before, shape: { ...before.shape, [id]: text } }));
  return (
    <>
      <div className="parameters">
        {shapeFields.map((field) => (
          <FormField
            key={field.id}
            field={`server.${field.id}`}
            {...{ title: field.title, hint: hintOf(field), value: typed.shape[field.id]!, faults }}
            onChange={setShape(field.id)}
          />
        ))}
        <FormField
          field="threads"
          title="Clients"
          hint={hintOf(range)}
          value={typed.clients}
          faults={faults}
          onChange={(clients) => setTyped((before) => ({ ...before, clients }))}
        />
        <Choice
          title="Processor"
          value={typed.family}
          onChange={(family) => setTyped((before) => ({ ...before, family }))}
        >
          <Options of={families} />
        </Choice>
      </div>
      <OtherFaults faults={faults.filter((fault) => !isOfPanel(fault))} />
      <p className="row">
        {isRunning ? (
          <CommandButton command="waits.stop_model">Stop, keep results</CommandButton>
        ) : (
          <button
            type="button"
            className="button button-main"
            aria-disabled={!plan.ok || !hasEngine}
            onClick={() => {
              if (plan.ok && hasEngine) void unlessRefused(() => model.start(request));
            }}
          >
            What if <code>{modeled.name}</code> cost nothing?
          </button>
        )}
        <OpenOnServer request={request} isValid={plan.ok} />
      </p>
    </>
  );
}

const hintOf = ({ min, max }: Pick<ServerField, 'min' | 'max'>) => `${min} to ${max.toLocaleString('en')}`;

interface FormFieldProps {
  field: string;
  title: string;
  hint: string;
  value: string;
  faults: readonly Fault[];
  onChange: (text: string) => void;
}

function FormField({ field, faults, ...input }: FormFieldProps) {
  const fault = faults.find((candidate) => candidate.field === field);
  return <TextField {...input} type="number" step="any" error={fault && `must be ${fault.allowed}`} />;
}

/** Opens the bug, and the dialog with the reader's server. */
function OpenOnServer({ request, isValid }: { request: ModelRequest; isValid: boolean }) {
  const session = useSession();
  const server = useModel('server');
  const scenarios = useExplorer((state) => state.scenarios);
  const { modeled, family, shape, clients } = request;
  const { manifest } = scenarios.find((scenario) => scenario.manifest.id === modeled.scenario)!;
  const open = async () => {
    const spec = defaultRunSpec(manifest, session.store.getState().machine, 'virtual');
    await session.openLink({ ok: true, value: { view: 'explorer', spec, ofFeatures: {} } });
    const values = Object.entries(shape).map(([id, text]) => [id, fieldOf(text)] as const);
    server.open({
      ...(family !== null && { family }),
      values: Object.fromEntries(values) as Record<string, number>,
      clients: Number(clients),
    });
  };
  return (
    <button
      type="button"
      className="button"
      aria-disabled={!isValid}
      onClick={() => {
        if (isValid) void open();
      }}
    >
      Open {scenarioInWords(manifest)} on this server…
    </button>
  );
}

function Outcome({ outcome, report }: { outcome: ModelOutcome; report: ImportReport }) {
  const { modeled, clients, processor, servers, freeRatio, fixedRatio, next } = outcome;
  const withResult = servers.filter((server) => server.freeRatio !== null).length;
  const failed = [...new Set(servers.flatMap((server) => server.failed ?? []))];
  return (
    <>
      <div className="waits-answer" role="status">
        {freeRatio !== null && (
          <p>
            If <code>{modeled.name}</code> cost nothing: {gainInWords(freeRatio)}. Most of the clients’ time
            would then go to{' '}
            {next.map(([limit, count], place) => (
              <span key={limit}>
                {place > 0 && ' or '}
                <LimitName limit={limit} modeled={modeled} />
                {next.length > 1 && ` (on ${count} of ${withResult})`}
              </span>
            ))}
            .
          </p>
        )}
        {fixedRatio !== null && <p>With the fixed design: {gainInWords(fixedRatio)}.</p>}
      </div>
      {failed.map((reason) => (
        <p key={reason} className="hint hint-error">
          Runs that do not count: {reason}
        </p>
      ))}
      <EvidenceNote>
        Predicted for {counted(withResult, 'server')} with {formatFigure(clients)} clients
        {processor !== null && `, ${processor}`}. The load is the report’s, not yours: the range says what the
        latch can cost, not what your statements gain.
      </EvidenceNote>
      <Table
        region="Results by server"
        columns={[
          ['server', ({ title }) => title],
          ['transactions/s', ({ tps }) => figure(tps)],
          ['latch free', ({ freeRatio: ratio }) => times(ratio)],
          ['fixed design', ({ fixedRatio: ratio }) => times(ratio)],
          [
            'next limit',
            ({ next: limit }) => limit !== null && <LimitName limit={limit} modeled={modeled} />,
          ],
        ]}
        rows={servers}
      />
      <YoursAndTheModels outcome={outcome} report={report} />
    </>
  );
}

const LimitName = ({
  limit,
  modeled: { latch, name },
}: {
  limit: string;
  modeled: ModeledLatch;
}): ReactNode =>
  limit === latch ? (
    <>
      <code>{name}</code>, whose holders wait for something else
    </>
  ) : (
    limit
  );

const figure = (value: number | null) => (value === null ? '' : formatFigure(Number(value.toPrecision(3))));
const ratioInWords = (ratio: number) => ratio.toPrecision(ratio < 10 ? 2 : 3);
const times = (ratio: number | null) => (ratio === null ? '' : `× ${ratioInWords(ratio)}`);

/** Below it, runs that differ in nothing but a latch may still differ by chance. */
const SMALL_PART = 0.05;

function gainInWords([low, high]: Range): ReactNode {
  const [from, to] = [ratioInWords(low), ratioInWords(high)];
  const range = from === to ? `× ${from}` : `× ${from} to ${to}`;
  const isSmall = low > 1 - SMALL_PART && high < 1 + SMALL_PART;
  return (
    <>
      {isSmall ? 'hardly any difference, ' : 'throughput '}
      <strong>{range}</strong>
    </>
  );
}

function YoursAndTheModels({ outcome, report }: { outcome: ModelOutcome; report: ImportReport }) {
  const { shared, ofReader } = sharedLatches(report, outcome);
  if (shared.length === 0) return null;
  return (
    <Table
      region="Your waits beside the model’s"
      caption="Shares of waiting"
      columns={[
        ['latch', ({ name }) => <code>{name}</code>],
        ['on your server', ({ ofReader: share }) => formatShare(share)],
        ['in the model', ({ ofModel }) => shareRange(ofModel)],
      ]}
      rows={shared}
      foot={
        <p>Latches that the model does not have: {formatShare(Math.max(0, 1 - ofReader))} of your waiting</p>
      }
    />
  );
}

function shareRange([low, high]: Range): string {
  const [from, to] = [formatShare(low), formatShare(high)];
  return from === to ? from : `${from} to ${to}`;
}
