// The contract in words, for editors and documents: JSON schemas of the files of scenarios/ and lab/, and the tables of docs/. Written out by
// npm run contract -- --update.
import * as z from 'zod/mini';

import { engine_limits } from './engine-limits.ts';
import { course_diff_schema, run_taken_back_schema } from './going-back.ts';
import {
  contest_measures,
  workload_measures,
  exercise_check_schema,
  lab_exercise_schema,
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
import { run_result_schema } from './run-result.ts';
import { FILE_MIB_MAX, result_limits } from './run-result-limits.ts';
import { runSpecSchema } from './run-spec-rules.ts';
import { scenario_files } from './scenario-files/index.ts';
import type { Servers } from './servers-file.ts';

/** By the path of the file. */
export const jsonSchemas = (): Record<string, object> => ({
  ...Object.fromEntries(
    Object.entries(scenario_files).map(([kind, { title, schema }]) => [
      `scenarios/${kind}.schema.json`,
      jsonSchema(title, schema),
    ]),
  ),
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
  'claim shapes': kindsTable(claim_shape_schema.def.options, 'holds if'),
  'literature sources': tableOf(
    ['source', 'title', 'published', 'what of it was read'],
    lab.sources.map(({ cited, title, published, read }) => [cited, title, published, readings[read]]),
  ),
  'contest measures': tableOf(
    ['measure', 'one of it'],
    Object.entries(contest_measures).map(([name, words]) => [`\`${name}\``, words]),
  ),
  'workload measures': tableOf(
    ['measure', 'one of it'],
    Object.entries(workload_measures).map(([name, words]) => [`\`${name}\``, words]),
  ),
});

export interface DescribedLab {
  latches: LabLatch[];
  sources: LiteratureSource[];
  claims: LiteratureClaim[];
}

type Row = readonly string[];

const tableOf = (head: Row, rows: readonly Row[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** No schema allows it, so each names what it allows. */
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
  return tableOf(['latch', 'what it is', 'kind', 'known from', 'the checker says'], rows);
}

function literatureTable(lab: DescribedLab): string {
  const rows = lab.claims.map(({ id, sources, where, says, latches, holds, remark = '' }) => [
    `\`${id}\``,
    latches.map((latch) => `\`${latch}\``).join(', '),
    says,
    `${citedBy(lab, sources)}; ${where}`,
    `${holds ? 'holds' : '**does not hold**'}${remark === '' ? '' : `. ${remark}`}`,
  ]);
  return tableOf(['claim', 'of', 'literature says', 'source', 'here'], rows);
}

function runSpecTable(example: Manifest, servers: Servers): string {
  const threads = { ...example.threads, min: 1, max: engine_limits.clients_max.threads };
  const manifest = { ...example, threads };
  const machine = { cores: 1, platforms: [] };
  const [here, virtual] = (['threads', 'virtual'] as const).map((platform) =>
    Object.entries(runSpecSchema({ manifest, servers, machine, platform }).shape),
  );
  const in_words: Record<string, string> = {
    scenario: 'id of a folder in scenarios/',
    platform: Object.keys(engine_limits.clients_max).join(', '),
  };
  const rows = virtual!.map(([field, schema], i) => {
    const [on_threads, on_virtual] = [here![i]![1], schema].map(allowedBy);
    const both = on_threads === on_virtual ? on_virtual! : `virtual: ${on_virtual!}; threads: ${on_threads!}`;
    return [`\`${field}\``, in_words[field] ?? both, meaningOf(schema)];
  });
  return tableOf(['field', 'allowed', 'meaning'], rows);
}

const limits_in_words: Record<keyof typeof engine_limits, string> = {
  duration_s: 'run time of a run, in seconds',
  interval_s: 'seconds of run time that one of sysbench’s lines is about, and between samples of stacks',
  intervals_max:
    'intervals of a run: `duration_s` by `interval_s`; a run without a duration ends with so many',
  seed_max: 'seeds begin at 0',
  events_max: 'events of the model after which a run ends',
  stack_samples_max: 'samples of all threads’ stacks in a run',
  timed_actions_max: 'actions and turns of knobs in a run spec',
  what_if_percent_max: 'percent of a cost or a section in a what-if; percents begin at 0',
  what_if_latches_max: 'entries of latches in a what-if',
  repeated_seeds_max: 'seeds of a curve, a causal profile or a diff of two courses',
  what_if_top_max: 'of a causal profile: latches',
  clients_max: 'clients of a run, by platform',
  server_cpus_max: 'CPUs of a modelled server, in all its sockets together',
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
  return tableOf(['limit', 'is', 'of'], rows);
}

/** `elsewhere`: fields that another table tells about. */
const fieldsTable = (schema: z.core.$ZodType, elsewhere: readonly string[] = []) =>
  tableOf(
    ['field', 'allowed', 'meaning'],
    fieldsWithin(schema, '').filter(([path]) => !elsewhere.some((name) => path!.startsWith(`\`${name}.`))),
  );

/** A row for each field, and below it those that it holds. */
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
    const optional = own.type === 'optional' ? `${is}; may be missing` : is;
    return [[`\`${path}\``, optional, meaningOf(inner) || meaningOf(field)], ...within];
  });
}

const exerciseChecksTable = () => kindsTable(exercise_check_schema.def.options, 'holds if');

type Kind = (typeof exercise_check_schema.def.options | typeof claim_shape_schema.def.options)[number];

function kindsTable(options: readonly Kind[], last_column: string): string {
  const rows = options.map((option) => {
    const { kind, ...fields } = option.shape;
    const names = Object.entries<z.core.$ZodType>(fields).map(([name, field]) =>
      field._zod.def.type === 'optional' ? `(\`${name}\`)` : `\`${name}\``,
    );
    return [`\`${kind.def.values[0]}\``, names.join(' '), meaningOf(option)];
  });
  return tableOf(['kind', 'fields', last_column], rows);
}

const result_limits_in_words: Record<keyof typeof result_limits, readonly [what: string, engine: string]> = {
  depth: ['lists and objects within each other', '6'],
  values: ['values in all, known to the page or not', ''],
  intervals: ['`intervals`', 'up to 36,001: one each `interval_s`, and what is left at the end'],
  counters: ['`counters`', 'some 70'],
  latches: ['`latches`', 'up to 192'],
  stacks: ['`stacks`', 'up to 64'],
  frames: ['`frames` of each', 'up to 24'],
  latches_stopped: ['`latches_stopped`', 'one for each place of a latch'],
  sysbench_lines: ['`sysbench`, each of its two lists', '10 and 29'],
  log: ['`log`', 'up to 2,000'],
  invariants: ['`invariants`', 'up to some ten for each phase in which one design was in force'],
  name_characters: ['characters of a name', 'up to 63'],
  text_characters: ['characters of another text', 'some 190'],
};

function resultLimitsTable(): string {
  const rows = Object.entries(result_limits_in_words).map(([name, [what, engine]]) => [
    what,
    result_limits[name as keyof typeof result_limits].toLocaleString('en'),
    engine,
  ]);
  const file = ['file', `${FILE_MIB_MAX} MiB`, 'some 500 bytes for each interval, and 50 kB'];
  return tableOf(['what', 'at most', 'the engine writes'], [file, ...rows]);
}
