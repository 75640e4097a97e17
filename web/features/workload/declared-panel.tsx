import { Fragment, type ReactNode } from 'react';

import { counted } from '../../analysis/format';
import { units, valueInWords } from '../../analysis/workload-language/values';
import type { LabWord } from '../../contract/latch-program';
import { manifestOfWorkload } from '../../contract/workload-manifest';
import type {
  ScriptDevice,
  ScriptGroup,
  ScriptKind,
  ScriptLatchProgram,
  ScriptParameter,
  WorkloadProgram,
} from '../../contract/workload-program';
import { CodeName } from '../../widgets/code-name';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';

/** Shows what the source declares. While it has errors, what it declared before. */
export function DeclaredPanel() {
  const program = useExplorer(({ workload }) => workload.compiled?.program ?? null);
  const isEarlier = useExplorer(({ workload }) => (workload.checked?.errors ?? []).length > 0);
  return (
    <Panel
      title="What it declares"
      className="workload-declared"
      note={isEarlier && program !== null && 'before the errors'}
    >
      {program === null ? (
        <p className="muted">What the source declares appears here once it has no errors.</p>
      ) : (
        <Declared program={program} />
      )}
    </Panel>
  );
}

function Declared({ program }: { program: WorkloadProgram }) {
  const { title, unit, parameters, knobs, designs, latches, words = [], kinds = [], groups } = program;
  const { shared_lines = [], counters = [], devices = [] } = program;
  const actions = groups.filter(({ runs }) => runs === 'on_action');
  const threads = groups.filter(({ runs }) => runs !== 'on_action');
  return (
    <>
      <p className="workload-title">{title}</p>
      <p className="muted">Throughput counts {unit}.</p>
      <Group title="Knobs">
        {knobs.map(({ id, question, variants }) => (
          <div key={id} className="workload-knob">
            <p>
              <Code name={id} /> {question !== id && question}
            </p>
            <ul>
              {variants.map(({ id: variant, kind, value, origin }, place) => (
                <li key={variant}>
                  <Code name={variant} />{' '}
                  <span className="muted">
                    {[
                      kind === undefined ? String(value) : kindInWords(kind, kinds),
                      origin,
                      place === 0 ? 'the original' : '',
                    ]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </li>
              ))}
            </ul>
          </div>
        ))}
      </Group>
      <Group title="Designs">
        {knobs.length > 0 && (
          <Rows
            of={designs.map(({ id, variants }) => [
              <Code key={id} name={id} />,
              knobs.map((knob, i) => `${knob.id} = ${knob.variants[variants[i]!]!.id}`).join(', '),
            ])}
          />
        )}
      </Group>
      <Group title="Parameters">
        {parameters.length > 0 && (
          <Rows
            of={parameters.map((parameter) => [
              <Code key={parameter.id} name={parameter.id} />,
              parameterInWords(parameter),
            ])}
          />
        )}
      </Group>
      <Group title="Latches">
        {latches.length > 0 && (
          <Rows
            of={latches.map(({ name, elements, kind, knob }) => [
              <Code key={name} name={elements === 1 ? name : `${name}[${elements}]`} />,
              kind === undefined ? `the kind that ${knobs[knob!]!.id} selects` : kindInWords(kind, kinds),
            ])}
          />
        )}
      </Group>
      <Group title="Words">
        {words.length > 0 && (
          <Rows
            of={words.map((word) => [
              <Code key={word.name} name={nameOfWord(word)} />,
              placeInWords(word, { words, shared_lines, knobs }),
            ])}
          />
        )}
      </Group>
      <Group title="Counters">
        {counters.length > 0 && (
          <p>
            {counters.map((name, place) => (
              <Fragment key={name}>
                {place > 0 && ', '}
                <Code name={name} />
              </Fragment>
            ))}
          </p>
        )}
      </Group>
      <Group title="Devices">
        {devices.length > 0 && (
          <Rows
            of={devices.map((device) => [
              <Code key={device.name} name={device.name} />,
              deviceInWords(device),
            ])}
          />
        )}
      </Group>
      <Group title="Actions">
        {actions.length > 0 && (
          <div className="row">
            {manifestOfWorkload(program).actions.map(({ id, title: button }) => (
              <button key={id} type="button" className="button" disabled title="During the run">
                {button}
              </button>
            ))}
          </div>
        )}
      </Group>
      <Group title="Threads">
        <Rows
          of={threads.map((group) => [<Code key={group.name} name={group.name} />, groupInWords(group)])}
        />
      </Group>
    </>
  );
}

const Code = ({ name }: { name: string }) => (
  <code>
    <CodeName name={name} />
  </code>
);

/** Nothing is shown of a group that is empty. */
function Group({ title, children }: { title: string; children: ReactNode }) {
  if (children === false || (Array.isArray(children) && children.length === 0)) return null;
  return (
    <section className="workload-group" aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

const Rows = ({ of }: { of: readonly (readonly [ReactNode, string])[] }) => (
  <dl className="workload-rows">
    {of.map(([name, words], place) => (
      <div key={place}>
        <dt>{name}</dt>
        <dd>{words}</dd>
      </div>
    ))}
  </dl>
);

function kindInWords({ kind, size, program }: ScriptKind, kinds: readonly ScriptLatchProgram[]): string {
  if (program !== undefined) return `${kinds[program]!.name}, in the latch language`;
  return size === undefined ? kind : `${kind}(${size})`;
}

const nameOfWord = ({ name, elements, per_thread }: LabWord) =>
  per_thread ? `${name}[me]` : elements === 1 ? name : `${name}[${elements}]`;

type Layout = Pick<WorkloadProgram, 'words' | 'knobs' | 'shared_lines'>;

/** Says which cache lines a word has. */
export function placeInWords(word: LabWord, { words = [], knobs, shared_lines = [] }: Layout): string {
  const place = words.indexOf(word);
  const shared = shared_lines.find(({ words: numbers }) => numbers.includes(place));
  const others = shared
    ? shared.words.map((number) => words[number]!).filter((other) => other !== word)
    : words.filter((other) => other !== word && other.line === word.line);
  const lines = word.per_thread ? 'a line for each thread' : word.packed ? 'one line' : '';
  const names = others.map(({ name }) => name).join(', ');
  if (shared !== undefined) {
    const { id, variants } = knobs[shared.knob]!;
    return `on the line of ${names} if ${id} == ${variants[shared.variant]!.id}`;
  }
  if (others.length > 0) return `${lines === '' ? 'one line' : lines}, with ${names}`;
  if (lines !== '') return lines;
  return word.elements === 1 ? 'a line of its own' : 'a line for each element';
}

const deviceInWords = ({ kind, latency }: ScriptDevice) =>
  latency === undefined ? kind : `${kind}, ${durationInWords(latency)}`;

const durationInWords = (ps: number) => valueInWords({ type: 'duration', value: BigInt(ps) });

/** Says when a group of threads runs its body. */
function groupInWords({ threads, has_transaction, runs, period }: ScriptGroup): string {
  if (has_transaction) return `${counted(threads, 'client')} with transactions`;
  if (runs === 'at_end') return 'checks after the run';
  const when = runs === 'every' ? `every ${durationInWords(period ?? 0)}` : runs;
  return `${threads} in the background${when === undefined ? '' : `, ${when}`}`;
}

/** Writes values as the source does: 20us, from 1us to 1ms. */
function parameterInWords({ id, title, unit, scale, min, max, default: usual }: ScriptParameter): string {
  const type = units.find(({ name }) => name === unit)?.type ?? 'uint';
  const [value, low, high] = [usual, min, max].map((of) =>
    valueInWords({ type, value: BigInt(of) * BigInt(scale) }),
  );
  return `${value}, from ${low} to ${high}${title === id ? '' : ` · ${title}`}`;
}
