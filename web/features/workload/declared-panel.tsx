import type { ReactNode } from 'react';

import { counted } from '../../analysis/format';
import { units, valueInWords } from '../../analysis/workload-language/values';
import type { LabWord } from '../../contract/latch-program';
import type { ScriptKind, ScriptParameter, WorkloadProgram } from '../../contract/workload-program';
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
  const { title, unit, parameters, knobs, designs, latches, words = [], groups } = program;
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
                      kind === undefined ? String(value) : kindInWords(kind),
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
              kind === undefined ? `the kind that ${knobs[knob!]!.id} selects` : kindInWords(kind),
            ])}
          />
        )}
      </Group>
      <Group title="Words">
        {words.length > 0 && (
          <Rows
            of={words.map((word) => [
              <Code key={word.name} name={nameOfWord(word)} />,
              placeInWords(word, words),
            ])}
          />
        )}
      </Group>
      <Group title="Threads">
        <Rows
          of={groups.map(({ name, threads, has_transaction }) => [
            <Code key={name} name={name} />,
            has_transaction
              ? `${counted(threads, 'client')} with transactions`
              : `${threads} in the background`,
          ])}
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

export const kindInWords = ({ kind, size }: ScriptKind) => (size === undefined ? kind : `${kind}(${size})`);

const nameOfWord = ({ name, elements, per_thread }: LabWord) =>
  per_thread ? `${name}[me]` : elements === 1 ? name : `${name}[${elements}]`;

/** Says which cache lines a word has. */
export function placeInWords(word: LabWord, words: readonly LabWord[]): string {
  const others = words.filter((other) => other !== word && other.line === word.line);
  const lines = word.per_thread ? 'a line for each thread' : word.packed ? 'one line' : '';
  if (others.length > 0)
    return `${lines === '' ? 'one line' : lines}, with ${others.map(({ name }) => name).join(', ')}`;
  if (lines !== '') return lines;
  return word.elements === 1 ? 'a line of its own' : 'a line for each element';
}

/** Writes values as the source does: 20us, from 1us to 1ms. */
function parameterInWords({ id, title, unit, scale, min, max, default: usual }: ScriptParameter): string {
  const type = units.find(({ name }) => name === unit)?.type ?? 'uint';
  const [value, low, high] = [usual, min, max].map((of) =>
    valueInWords({ type, value: BigInt(of) * BigInt(scale) }),
  );
  return `${value}, from ${low} to ${high}${title === id ? '' : ` · ${title}`}`;
}
