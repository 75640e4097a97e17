// A measured file that a reader dropped or chose: what `npm run real-servers` wrote, here or on a server of the reader's. It says the
// same as scenarios/measured.schema.json, which needs code generation that the page may not do. Nothing of a file is shown unless
// all of it is sound.
import * as z from 'zod/mini';

import { faultsBeyondSchema, versionFaults, type Measured } from './measured-faults.mjs';
import { measuredServer, type MeasuredServer } from './measured-server.mjs';
import { FAULTS_TOLD_MAX, toldFaults, type FieldError } from '../../contract/field-error';
import { isVisible } from '../../contract/printable';
import type { Manifest } from '../../contract/manifest';
import { shapeFaults } from '../../contract/run-result-limits';
import { fieldErrors, type Parsed } from '../../contract/run-spec';
import { describeValue } from '../../contract/versions';

/** What a file of 64 numbers of clients takes, several times over. */
const FILE_MIB_MAX = 4;
const MIB = 2 ** 20;
const NAME_CHARACTERS = 200;
const TEXT_CHARACTERS = 2_000;
export const A_MEASURED_FILE = 'a measured file: JSON, as `npm run real-servers` writes it';

/** Of which bug a file may be. */
export interface Expected {
  manifests: readonly Manifest[];
  /** The bug that is shown; null: any. */
  shown: Manifest | null;
}

export interface OpenedMeasured {
  scenario: string;
  server: MeasuredServer;
}

/** Checks the content of a file and names its faults: the field, its value and what is allowed. */
export function parseMeasuredFile(text: string, expected: Expected): Parsed<OpenedMeasured> {
  if (text.length > FILE_MIB_MAX * MIB) {
    const value = `${(text.length / MIB).toFixed(1)} MiB`;
    return refuse([{ field: 'file', value, allowed: `up to ${FILE_MIB_MAX} MiB` }]);
  }
  const too_much = shapeFaults(text);
  if (too_much.length > 0) return refuse(too_much);
  const content = parseJson(text);
  if (!content.ok) return content;
  const document = content.value;
  const first = [...versionFaults(document).map(inWords), ...bugFaults(document, expected)];
  if (first.length > 0) return refuse(first.slice(0, 1));
  const parsed = measured_schema.safeParse(document);
  if (!parsed.success) {
    const fields = Object.keys(measured_schema.shape);
    const issues = parsed.error.issues.slice(0, FAULTS_TOLD_MAX);
    return refuse(issues.flatMap((issue) => fieldErrors(issue, document, fields)));
  }
  const measured = parsed.data as Measured;
  const faults = faultsBeyondSchema(measured);
  if (faults.length > 0) return refuse(faults.map(inWords));
  return { ok: true, value: { scenario: measured.scenario, server: measuredServer(measured) } };
}

const inWords = ({
  field,
  value,
  allowed,
}: {
  field: string;
  value: unknown;
  allowed: string;
}): FieldError => ({
  field,
  value: describeValue(value),
  allowed,
});

function bugFaults(document: Record<string, unknown>, { manifests, shown }: Expected): FieldError[] {
  const { scenario } = document;
  const of = manifests.find(({ id }) => id === scenario);
  if (of === undefined) {
    const allowed = `one of ${manifests.map(({ id }) => id).join(', ')}`;
    return [{ field: 'scenario', value: describeValue(scenario), allowed }];
  }
  if (shown === null || of === shown) return [];
  return [
    {
      field: 'scenario',
      value: `${of.id}, which is bug #${of.bug}`,
      allowed: `${shown.id}: bug #${shown.bug} is shown. Open bug #${of.bug} first`,
    },
  ];
}

function parseJson(text: string): Parsed<Record<string, unknown>> {
  try {
    const content: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof content === 'object' && content !== null && !Array.isArray(content)) {
      return { ok: true, value: content as Record<string, unknown> };
    }
    return refuse([{ field: 'file', value: describeValue(content), allowed: A_MEASURED_FILE }]);
  } catch (error) {
    const value = text.trim() === '' ? '' : `no JSON (${error instanceof Error ? error.message : 'broken'})`;
    return refuse([{ field: 'file', value, allowed: A_MEASURED_FILE }]);
  }
}

// Every message of this schema is the `allowed` of an error.
function textOf(characters_max: number, characters_min = 0) {
  const least = characters_min > 0 ? 'a text that is not empty,' : 'a text';
  const error = `${least} of up to ${characters_max.toLocaleString('en')} characters, all of them visible`;
  return z
    .string({ error })
    .check(
      z.minLength(characters_min, { error }),
      z.maxLength(characters_max, { error }),
      z.refine(isVisible, { error }),
    );
}

function textLike(pattern: RegExp, error: string) {
  return textOf(NAME_CHARACTERS).check(z.regex(pattern, { error }));
}

function integerFrom(least: number) {
  const error = `an integer from ${least}`;
  return z.number({ error }).check(z.gte(least, { error }), z.refine(Number.isInteger, { error }));
}

const seconds_error = 'a number above 0';
const seconds = z.number({ error: seconds_error }).check(z.gt(0, { error: seconds_error }));
const name = textOf(NAME_CHARACTERS);

const listOf = <Item extends z.core.$ZodType>(item: Item, of: string, least = 0) => {
  const error = least > 0 ? `a list of at least ${least} of ${of}` : `a list of ${of}`;
  return z.array(item, { error }).check(z.minLength(least, { error }));
};

const objectOf = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject(shape, { error: `an object with ${Object.keys(shape).join(', ')}, and nothing else` });

const recordOf = <Value extends z.core.$ZodType>(
  key: z.core.$ZodRecordKey,
  value: Value,
  of: string,
  key_is = 'a name',
) =>
  z.record(key, value, {
    error: ({ code }) => (code === 'invalid_key' ? key_is : `an object of ${of}`),
  });

const phase_schema = objectOf({
  phase: name,
  seconds,
  operations: recordOf(name, integerFrom(0), 'operations'),
  latches: recordOf(
    textLike(/^wait\/synch\//, 'an instrument, wait/synch/...'),
    objectOf({ acquisitions: integerFrom(0), waits: z.optional(integerFrom(0)) }),
    'latches',
    'instruments of performance_schema: wait/synch/...',
  ),
});

const measured_schema = objectOf({
  $schema: z.optional(name),
  version: z.literal(1, { error: '1' }),
  scenario: name,
  measured_at: textLike(/^\d{4}-\d{2}-\d{2}$/, 'a day, such as 2026-11-23'),
  command: textOf(TEXT_CHARACTERS, 1),
  server: objectOf({
    name: textLike(/^(mysql|mariadb)-\d+(\.\d+)?$/, 'mysql- or mariadb- and a version, such as mysql-9'),
    version: textLike(/^\d+\.\d+\.\d+/, 'a version that begins with three numbers, such as 9.7.4'),
    comment: name,
    packaged: z.nullable(name),
  }),
  machine: objectOf({
    cpu_model: name,
    cores: integerFrom(1),
    memory_mib: integerFrom(1),
    kernel: name,
  }),
  experiments: listOf(
    objectOf({
      experiment: name,
      options: listOf(textOf(TEXT_CHARACTERS), 'texts'),
      settings: recordOf(name, textOf(TEXT_CHARACTERS), 'texts'),
      runs: listOf(
        objectOf({
          clients: integerFrom(1),
          phases: listOf(phase_schema, 'phases', 1),
          counts: recordOf(name, z.number({ error: 'a number' }), 'numbers'),
        }),
        'runs',
        1,
      ),
    }),
    'experiments',
    1,
  ),
});

const refuse = (errors: FieldError[]): { ok: false; errors: FieldError[] } => ({
  ok: false,
  errors: toldFaults(errors),
});
