// Describes the contract for editors and documents: JSON schemas of the files of scenarios/ and
// lab/, and the tables of docs/. `npm run contract -- --update` writes them.
import * as z from 'zod/mini';

import { checks_schema, comparison_expectations, run_expectations } from './checks.ts';
import { engine_limits } from './engine-limits.ts';
import { course_diff_schema, run_taken_back_schema } from './going-back.ts';
import {
  contest_measures,
  exercise_check_schema,
  lab_exercise_schema,
  workload_measures,
} from './lab-exercise.ts';
import {
  claim_shape_schema,
  lab_latches_schema,
  literature_schema,
  readings,
  type LabLatch,
  type LiteratureClaim,
  type LiteratureSource,
} from './lab-latches.ts';
import type { Manifest } from './manifest.ts';
import { run_result_schema, type RunResult } from './run-result.ts';
import { FILE_MIB_MAX, result_limits } from './run-result-limits.ts';
import { runSpecSchema } from './run-spec-rules.ts';
import { scenario_files } from './scenario-files/index.ts';
import type { Servers } from './servers-file.ts';

/** JSON schemas by file path. */
export const jsonSchemas = (): Record<string, object> => ({
  ...Object.fromEntries(
    Object.entries(scenario_files).map(([kind, { title, schema }]) => [
      `scenarios/${kind}.schema.json`,
      jsonSchema(title, schema),
    ]),
  ),
  'examples/checks/checks.schema.json': jsonSchema('Checks of Latchscope runs', checks_schema),
  'lab/exercises/exercise.schema.json': jsonSchema('Exercise of Latchscope’s latch lab', lab_exercise_schema),
  'lab/latches/latches.schema.json': jsonSchema('Latches of Latchscope’s latch lab', lab_latches_schema),
  'lab/literature.schema.json': jsonSchema('What literature says of latches', literature_schema),
});

function jsonSchema(title: string, schema: z.core.$ZodType): object {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-7' });
  const $comment = 'Written by npm run contract -- --update, from web/contract.';
  return { $schema, $comment, title, ...rest };
}

/** Markdown tables, by the name of their markers. */
export const documentTables = (
  manifest: Manifest,
  servers: Servers,
  lab: DescribedLab,
): Record<string, string> => ({
  'run spec': runSpecTable(manifest, servers),
  limits: limitsTable(),
  'run result': fieldsTable(run_result_schema),
  'run taken back': fieldsTable(run_taken_back_schema, ['first', 'again']),
  'course diff': fieldsTable(course_diff_schema),
  'limits of a result': resultLimitsTable(),
  'exercise checks': exerciseChecksTable(),
  'lab latches': labLatchesTable(lab),
  'literature claims': literatureTable(lab),
  'claim shapes': kindsList(claim_shape_schema.def.options),
  'literature sources': tableOf(
    ['source', 'title', 'published', 'what we read'],
    lab.sources.map(({ cited, title, published, read }) => [cited, title, published, readings[read]]),
  ),
  'figures of checks': tableOf(
    ['figure', 'of', 'meaning'],
    [...figuresOf(run_expectations, 'a run'), ...figuresOf(comparison_expectations, 'a comparison')],
  ),
  'contest measures': tableOf(
    ['measure', 'unit'],
    Object.entries(contest_measures).map(([name, words]) => [`\`${name}\``, words]),
  ),
  'workload measures': tableOf(
    ['measure', 'unit'],
    Object.entries(workload_measures).map(([name, words]) => [`\`${name}\``, words]),
  ),
});

interface DescribedLab {
  latches: LabLatch[];
  sources: LiteratureSource[];
  claims: LiteratureClaim[];
}

type Row = readonly string[];

const tableOf = (head: Row, rows: readonly Row[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** No schema allows this value, so each one reports what it allows. */
const NOTHING_ALLOWED = Symbol('nothing allowed');

const allowedBy = (schema: z.core.$ZodType) =>
  z.safeParse(schema, NOTHING_ALLOWED).error?.issues[0]?.message ?? 'anything';

const meaningOf = (schema: z.core.$ZodType) => z.globalRegistry.get(schema)?.description ?? '';

const citedBy = ({ sources }: DescribedLab, ids: readonly string[]) =>
  ids.map((id) => sources.find((source) => source.id === id)?.cited ?? id).join('; ');

function labLatchesTable(lab: DescribedLab): string {
  const rows = lab.latches.map((latch) => {
    const fault = latch.fault === undefined ? '' : `: \`${latch.fault}\``;
    const memory = latch.needs_store_buffers ? ', with store buffers' : '';
    const verdict = latch.verdict === 'starving' ? 'right, but starves' : `${latch.verdict}${fault}${memory}`;
    return [`\`${latch.latch}\``, latch.title, latch.kind, citedBy(lab, latch.sources ?? []), verdict];
  });
  return tableOf(['latch', 'title', 'kind', 'source', 'verdict'], rows);
}

function literatureTable(lab: DescribedLab): string {
  const rows = lab.claims.map(({ id, sources, latches, holds }) => [
    `\`${id}\``,
    latches.map((latch) => `\`${latch}\``).join(', '),
    citedBy(lab, sources),
    holds ? 'holds' : '**does not hold**',
  ]);
  const notes = lab.claims.map(
    ({ id, where, says, remark }) =>
      `- \`${id}\` (${where}). ${says}${remark === undefined ? '' : ` **Here:** ${remark}`}`,
  );
  return [tableOf(['claim', 'latches', 'source', 'here'], rows), notes.join('\n')].join('\n\n');
}

function runSpecTable(example: Manifest, servers: Servers): string {
  const threads = { ...example.threads, min: 1, max: engine_limits.clients_max.threads };
  const manifest = { ...example, threads };
  const machine = { cores: 1, platforms: [] };
  const [here, virtual] = (['threads', 'virtual'] as const).map((platform) =>
    Object.entries(runSpecSchema({ manifest, servers, machine, platform }).shape),
  );
  const in_words: Record<string, string> = {
    scenario: 'id of a folder in scenarios/, or workload',
    workload: 'an object with source and program; required with scenario workload',
    platform: Object.keys(engine_limits.clients_max).join(', '),
    design: 'a preset, or an object of knobs and variants',
    server: 'virtual only: a server’s id, or an object based on one',
    threads: `an integer from 1 to ${engine_limits.clients_max.threads}, virtual to ${engine_limits.clients_max.virtual}`,
  };
  const rows = virtual!.map(([field, schema], i) => {
    const [on_threads, on_virtual] = [here![i]![1], schema].map(allowedBy);
    const of_each = on_threads?.startsWith('nothing')
      ? `virtual only: ${on_virtual!}`
      : `virtual: ${on_virtual!}; threads: ${on_threads!}`;
    const both = on_threads === on_virtual ? on_virtual! : of_each;
    return [`\`${field}\``, in_words[field] ?? both, meaningOf(schema)];
  });
  return tableOf(['field', 'allowed', 'meaning'], rows);
}

const limits_in_words: Record<keyof typeof engine_limits, string> = {
  duration_s: 'run time of a run, in seconds',
  interval_s: 'seconds per sysbench line, and between stack samples',
  intervals_max: 'intervals of a run; one without a duration ends then',
  seed_max: 'largest seed; the smallest is 0',
  events_max: 'events of the model after which a run ends',
  stack_samples_max: 'samples of all threads’ stacks in a run',
  timed_actions_max: 'actions and knob changes in a run spec',
  what_if_percent_max: 'percent of a cost or critical section in a what-if',
  what_if_latches_max: 'latches in a what-if',
  repeated_seeds_max: 'seeds of a curve, a causal profile or a diff',
  what_if_top_max: 'latches in a causal profile',
  clients_max: 'clients of a run, by platform',
  server_cpus_max: 'CPUs of a modeled server, in all its sockets together',
};

const limitInWords = (limit: number | object) =>
  typeof limit === 'number'
    ? limit.toLocaleString('en')
    : Object.entries(limit)
        .map(([of, value]) => `${of} ${String(value)}`)
        .join(', ');

function limitsTable(): string {
  const rows = Object.entries(limits_in_words).map(([name, meaning]) => [
    `\`${name}\``,
    limitInWords(engine_limits[name as keyof typeof engine_limits]),
    meaning,
  ]);
  return tableOf(['limit', 'value', 'meaning'], rows);
}

/** `elsewhere`: fields that another table describes. */
const fieldsTable = (schema: z.core.$ZodType, elsewhere: readonly string[] = []) =>
  tableOf(
    ['field', 'allowed', 'meaning'],
    fieldsWithin(schema, '').filter(([path]) => !elsewhere.some((name) => path!.startsWith(`\`${name}.`))),
  );

const figuresOf = ({ def }: typeof run_expectations | typeof comparison_expectations, of: string): Row[] =>
  Object.entries(def.shape).map(([name, field]) => [`\`${name}\``, of, meaningOf(field)]);

/** Returns a row for each field, followed by its nested fields. */
function fieldsWithin(schema: z.core.$ZodType, parent: string): Row[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === 'union') return def.options.flatMap((option) => fieldsWithin(option, parent));
  if (def.type === 'array') return fieldsWithin(def.element, `${parent}[]`);
  if (def.type !== 'object') return [];
  return Object.entries(def.shape).flatMap(([name, field]) => {
    const { def: own } = (field as z.core.$ZodTypes)._zod;
    const inner = own.type === 'optional' ? own.innerType : field;
    const path = parent === '' ? name : `${parent}.${name}`;
    const within = fieldsWithin(inner, path);
    const is = within.length > 0 && allowedBy(inner).startsWith('an object') ? 'an object' : allowedBy(inner);
    const optional = own.type === 'optional' ? `${is}; optional` : is;
    return [[`\`${path}\``, optional, meaningOf(inner) || meaningOf(field)], ...within];
  });
}

const exerciseChecksTable = () => kindsTable(exercise_check_schema.def.options, 'holds if');

type Kind = (typeof exercise_check_schema.def.options | typeof claim_shape_schema.def.options)[number];

/** The name, the fields and the meaning of each kind; optional fields are in brackets. */
const kindsInWords = (options: readonly Kind[]) =>
  options.map((option) => {
    const { kind, ...fields } = option.shape;
    const names = Object.entries<z.core.$ZodType>(fields).map(([name, field]) =>
      field._zod.def.type === 'optional' ? `(\`${name}\`)` : `\`${name}\``,
    );
    return [`\`${kind.def.values[0]}\``, names.join(' '), meaningOf(option)] as const;
  });

const kindsTable = (options: readonly Kind[], last_column: string) =>
  tableOf(['kind', 'fields', last_column], kindsInWords(options));

const kindsList = (options: readonly Kind[]) =>
  kindsInWords(options)
    .map(([name, fields, meaning]) => `- ${name} (${fields.replaceAll(' ', ', ')}): ${meaning}.`)
    .join('\n');

const result_limits_in_words: Record<keyof typeof result_limits, readonly [what: string, engine: string]> = {
  depth: ['nesting of lists and objects', '6'],
  values: ['values in total', ''],
  intervals: ['`intervals`', 'up to 36,001'],
  counters: ['`counters`', 'about 70'],
  latches: ['`latches`', 'up to 192'],
  stacks: ['`stacks`', 'up to 64'],
  frames: ['`frames` of a stack', 'up to 24'],
  latches_stopped: ['`latches_stopped`', 'one for each knob of a latch'],
  sysbench_lines: ['each list in `sysbench`', '10 and 29'],
  log: ['`log`', 'up to 2,000'],
  invariants: ['`invariants`', 'about ten for each design phase'],
  name_characters: ['characters of a name', 'up to 63'],
  text_characters: ['characters of other texts', 'about 190'],
};

function resultLimitsTable(): string {
  const rows = Object.entries(result_limits_in_words).map(([name, [what, engine]]) => [
    what,
    result_limits[name as keyof typeof result_limits].toLocaleString('en'),
    engine,
  ]);
  const file = ['file', `${FILE_MIB_MAX} MiB`, 'about 500 bytes per interval, and 50 kB'];
  return tableOf(['what', 'at most', 'the engine writes'], [file, ...rows]);
}

/**
 * Returns the optional fields that no result has, in the order of the schema. `[]` means each entry
 * of a list.
 */
export function optionalFieldsMissing(results: readonly RunResult[]): string[] {
  const found = new Set(results.flatMap((result) => pathsOf(result, '')));
  return optionalPaths(run_result_schema, '').filter((path) => !found.has(path));
}

const below = (parent: string, name: string) => (parent === '' ? name : `${parent}.${name}`);

function pathsOf(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return [path, ...value.flatMap((item) => pathsOf(item, `${path}[]`))];
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, item]) => pathsOf(item, below(path, name)))];
}

interface Definition {
  type: string;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
}

function optionalPaths(schema: z.core.$ZodType, path: string): string[] {
  const { type, innerType: inner, element, shape = {} } = schema._zod.def as Definition;
  if (type === 'optional') return [path, ...optionalPaths(inner!, path)];
  if (type === 'array') return optionalPaths(element!, `${path}[]`);
  return Object.entries(shape).flatMap(([name, field]) => optionalPaths(field, below(path, name)));
}
