// The run spec: everything that determines a run. The URL, the command line, the C ABI and tests carry this one thing.
import * as z from 'zod/mini';

import type { FieldError } from '../engine-client/field-error';
import type { Manifest, Scenario } from './manifest';
import { describeValue, upgrade, type Upgraders } from './versions';

export const RUN_SPEC_VERSION = 1;
export const DURATION_S_MAX = 3600;
const SEED_MAX = Number.MAX_SAFE_INTEGER;
const ACTIONS_MAX = 256;

export type TimedAction = { at_s: number; action: string } | { at_s: number; knob: string; variant: string };

export interface RunSpec {
  version: typeof RUN_SPEC_VERSION;
  scenario: string;
  /** A variant for every knob. */
  design: Record<string, string>;
  platform: 'threads';
  threads: number;
  seed: number;
  /** null: until it is stopped. */
  duration_s: number | null;
  parameters: Record<string, number>;
  actions: TimedAction[];
}

/** What limits and defaults depend on beside the manifest. */
export interface Machine {
  cores: number;
}

export type Parsed<T> = { ok: true; value: T } | { ok: false; errors: FieldError[] };

/** From version n to n + 1. Empty as long as 1 is the only version. */
const run_spec_upgraders: Upgraders = {};

/** Checks a run spec, fills in what it leaves out, and names every fault. */
export function parseRunSpec(
  input: unknown,
  scenarios: readonly Scenario[],
  machine: Machine,
  upgraders: Upgraders = run_spec_upgraders,
): Parsed<RunSpec> {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return refuse('run spec', input, 'an object');
  }
  const upgraded = upgrade(input as Record<string, unknown>, 'version', RUN_SPEC_VERSION, upgraders);
  if (!upgraded.ok) return upgraded;
  const manifests = scenarios.map((scenario) => scenario.manifest);
  const manifest = manifests.find(({ id }) => id === upgraded.content.scenario);
  if (manifest === undefined) {
    return refuse('scenario', upgraded.content.scenario, oneOf(manifests.map(({ id }) => id)));
  }
  const content = { ...upgraded.content, design: expandPreset(upgraded.content.design, manifest) };
  const parsed = runSpecSchema(manifest, machine).safeParse(content);
  if (parsed.success) return { ok: true, value: parsed.data as RunSpec };
  return { ok: false, errors: parsed.error.issues.flatMap((issue) => fieldErrors(issue, content)) };
}

/** A design may be the name of a preset. */
function expandPreset(design: unknown, { designs }: Manifest): unknown {
  return typeof design === 'string' && Object.hasOwn(designs, design) ? designs[design] : design;
}

export function defaultRunSpec(manifest: Manifest, machine: Machine): RunSpec {
  return runSpecSchema(manifest, machine).parse({
    version: RUN_SPEC_VERSION,
    scenario: manifest.id,
  }) as RunSpec;
}

/** At least the manifest's clients, and one for each core of a machine that has more. */
export function defaultThreads({ threads }: Manifest, { cores }: Machine): number {
  return Math.min(Math.max(threads.default, cores), threads.max);
}

// Every message of this schema is the `allowed` of an error: what would have been accepted.
function runSpecSchema(manifest: Manifest, machine: Machine) {
  const { threads, knobs, parameters } = manifest;
  const design = knobs.map((knob) => {
    const variants = knob.variants.map((variant) => variant.id);
    return [knob.id, z._default(choice(variants), variants[0]!)] as const;
  });
  const parameter_values = parameters.map(
    (parameter) =>
      [parameter.id, z._default(integer(parameter.min, parameter.max), parameter.default)] as const,
  );
  return z.strictObject({
    version: z.literal(RUN_SPEC_VERSION),
    scenario: z.literal(manifest.id),
    design: z.prefault(strictObject(Object.fromEntries(design), designInWords(manifest)), {}),
    platform: z._default(choice(['threads']), 'threads'),
    threads: z._default(integer(threads.min, threads.max), defaultThreads(manifest, machine)),
    seed: z._default(integer(0, SEED_MAX), 1),
    duration_s: z._default(durationSchema(), null),
    parameters: z.prefault(strictObject(Object.fromEntries(parameter_values), 'an object of parameters'), {}),
    actions: z._default(actionsSchema(manifest), []),
  });
}

function durationSchema() {
  const error = `a number above 0 and up to ${DURATION_S_MAX}, or nothing: until stopped`;
  return z.nullable(z.number({ error }).check(z.gt(0, { error }), z.lte(DURATION_S_MAX, { error })));
}

function actionsSchema(manifest: Manifest) {
  const error = `a list of at most ${ACTIONS_MAX} actions`;
  const at_s_error = `a number from 0 to ${DURATION_S_MAX}`;
  const action = strictObject(
    {
      at_s: z
        .number({ error: at_s_error })
        .check(z.gte(0, { error: at_s_error }), z.lte(DURATION_S_MAX, { error: at_s_error })),
      action: z.optional(choice(manifest.actions.map(({ id }) => id))),
      knob: z.optional(choice(manifest.knobs.map(({ id }) => id))),
      variant: z.optional(z.string({ error: 'the name of a variant' })),
    },
    'an object with at_s, and an action or a knob and a variant',
  ).check((context) => {
    const fault = timedActionFault(context.value, manifest);
    if (fault) context.issues.push({ code: 'custom', input: context.value, ...fault });
  });
  return z.array(action, { error }).check(z.maxLength(ACTIONS_MAX, { error }));
}

interface LooseAction {
  action?: string | undefined;
  knob?: string | undefined;
  variant?: string | undefined;
}

function timedActionFault({ action, knob, variant }: LooseAction, manifest: Manifest) {
  if ((action === undefined) === (knob === undefined)) {
    return { path: [], message: 'either an action, or a knob and a variant' };
  }
  if (knob === undefined) {
    return variant === undefined ? null : { path: ['variant'], message: 'a variant only beside a knob' };
  }
  const variants = manifest.knobs.find(({ id }) => id === knob)!.variants.map(({ id }) => id);
  if (variant !== undefined && variants.includes(variant)) return null;
  return { path: ['variant'], message: oneOf(variants) };
}

function integer(min: number, max: number) {
  const error = `an integer from ${min} to ${max}`;
  return z.int({ error }).check(z.gte(min, { error }), z.lte(max, { error }));
}

const choice = (values: string[]) => z.enum(values, { error: oneOf(values) });

function strictObject<Shape extends z.core.$ZodShape>(shape: Shape, in_words: string) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? oneOf(Object.keys(shape)) : in_words),
  });
}

const designInWords = ({ designs }: Manifest) =>
  `an object of knobs and variants, or a preset: ${Object.keys(designs).join(', ')}`;

const oneOf = (values: string[]) => (values.length === 1 ? values[0]! : `one of ${values.join(', ')}`);

function fieldErrors(issue: z.core.$ZodIssue, input: unknown): FieldError[] {
  const keys =
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  const allowed =
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? oneOf(run_spec_fields) : issue.message;
  return keys.map((path) => ({
    field: fieldPath(path),
    value: describeValue(valueAt(input, path)),
    allowed,
  }));
}

const run_spec_fields = [
  'version',
  'scenario',
  'design',
  'platform',
  'threads',
  'seed',
  'duration_s',
  'parameters',
  'actions',
] satisfies (keyof RunSpec)[];

function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      return index === 0 ? String(part) : `.${String(part)}`;
    })
    .join('');
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined,
    input,
  );
}

function refuse(field: string, value: unknown, allowed: string): { ok: false; errors: FieldError[] } {
  return { ok: false, errors: [{ field, value: describeValue(value), allowed }] };
}
