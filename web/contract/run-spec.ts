// The run spec: everything that determines a run. The URL, the command line, the C ABI and tests carry this one thing.
import * as z from 'zod/mini';

import type { Design } from './design';
import type { FieldError } from './field-error';
import { engine_limits } from './gen/engine-limits';
import { all_platforms, type Platform } from './platforms';
import type { Manifest, Scenario } from './manifest';
import { named_servers, server_fields, valuesOfServer, type ServerChoice } from './servers';
import { describeValue, upgrade, type Upgraders } from './versions';

export const RUN_SPEC_VERSION = 1;
export const { duration_s: DURATION_S, interval_s: INTERVAL_S, seed_max: SEED_MAX } = engine_limits;
const { events_max: EVENTS_MAX, timed_actions_max: ACTIONS_MAX } = engine_limits;
const { server_cpus_max: SERVER_CPUS_MAX } = engine_limits;
const VIRTUAL_SAMPLE_S = 0.02;

export type TimedAction = { at_s: number; action: string } | { at_s: number; knob: string; variant: string };

export interface RunSpec {
  version: typeof RUN_SPEC_VERSION;
  scenario: string;
  /** A variant for every knob. */
  design: Design;
  platform: Platform;
  /** Of the virtual platform; left out: the one that stands for the report's. */
  server?: ServerChoice;
  /** Of the virtual platform: the run ends after so many events. */
  events_max?: number;
  threads: number;
  seed: number;
  /** null: until it is stopped. */
  duration_s: number | null;
  /** What sysbench reports on; left out: a second. */
  interval_s?: number;
  parameters: Record<string, number>;
  actions: TimedAction[];
}

/** What limits and defaults depend on beside the manifest. */
export interface Machine {
  cores: number;
  /** Those that this page can run, the one that it prefers first; empty if there is none. */
  platforms: readonly Platform[];
}

/** The platform of a run spec that names none. */
export const preferredPlatform = ({ platforms }: Machine): Platform => platforms[0] ?? 'threads';

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
  const { platform = preferredPlatform(machine) } = upgraded.content;
  const allowed = machine.platforms.length === 0 ? all_platforms : machine.platforms;
  if (!isPlatform(platform) || !allowed.includes(platform)) {
    return refuse('platform', platform, oneOf([...allowed]));
  }
  const design = expandPreset(upgraded.content.design, manifest);
  const content = { ...upgraded.content, platform, design };
  const schema = runSpecSchema(manifest, machine, platform);
  const parsed = schema.safeParse(content);
  if (parsed.success) return { ok: true, value: parsed.data as RunSpec };
  const fields = Object.keys(schema.shape);
  return { ok: false, errors: parsed.error.issues.flatMap((issue) => fieldErrors(issue, content, fields)) };
}

const isPlatform = (value: unknown): value is Platform =>
  (all_platforms as readonly unknown[]).includes(value);

/** A design may be the name of a preset. */
function expandPreset(design: unknown, { designs }: Manifest): unknown {
  return typeof design === 'string' && Object.hasOwn(designs, design) ? designs[design] : design;
}

/** What the page offers to run: on the virtual server, a sample of the report's seconds. */
export function defaultRunSpec(
  manifest: Manifest,
  machine: Machine,
  platform: Platform = preferredPlatform(machine),
): RunSpec {
  return runSpecSchema(manifest, machine, platform).parse({
    version: RUN_SPEC_VERSION,
    scenario: manifest.id,
    platform,
    ...(platform === 'virtual' ? { interval_s: manifest.virtual_sample_s ?? VIRTUAL_SAMPLE_S } : {}),
  }) as RunSpec;
}

/** How many clients a run may have. */
export function threadsRange({ threads }: Manifest, platform: Platform): { min: number; max: number } {
  const most = engine_limits.clients_max[platform];
  return { min: threads.min, max: platform === 'virtual' ? most : Math.min(threads.max, most) };
}

/** The report's on the virtual server; else at least the manifest's, and one for each core of a machine that has more. */
export function defaultThreads(manifest: Manifest, { cores }: Machine, platform: Platform): number {
  const { threads } = manifest;
  if (platform === 'virtual') return threads.virtual_default;
  return Math.min(Math.max(threads.default, cores), threadsRange(manifest, platform).max);
}

// Every message of this schema is the `allowed` of an error: what would have been accepted.
function runSpecSchema(manifest: Manifest, machine: Machine, platform: Platform) {
  const { knobs, parameters } = manifest;
  const is_virtual = platform === 'virtual';
  const threads = threadsRange(manifest, platform);
  const design = knobs.map((knob) => {
    const variants = knob.variants.map((variant) => variant.id);
    return [knob.id, z._default(choice(variants), variants[0]!)] as const;
  });
  const parameter_values = parameters.map(({ id, min, max, default: here, virtual_default = here }) => {
    return [id, z._default(integer(min, max), is_virtual ? virtual_default : here)] as const;
  });
  return z.strictObject({
    version: z.literal(RUN_SPEC_VERSION),
    scenario: z.literal(manifest.id),
    design: z.prefault(strictObject(Object.fromEntries(design), designInWords(manifest)), {}),
    platform: z.literal(platform),
    ...(is_virtual
      ? {
          server: z._default(serverSchema(), manifest.virtual_server),
          events_max: z.optional(integer(1, EVENTS_MAX)),
        }
      : {}),
    threads: z._default(integer(threads.min, threads.max), defaultThreads(manifest, machine, platform)),
    seed: z._default(integer(0, SEED_MAX), 1),
    duration_s: z._default(durationSchema(), null),
    interval_s: z.optional(intervalSchema()),
    parameters: z.prefault(strictObject(Object.fromEntries(parameter_values), 'an object of parameters'), {}),
    actions: z._default(actionsSchema(manifest), []),
  });
}

function durationSchema() {
  const error = `a number from ${DURATION_S.min} to ${DURATION_S.max}, or nothing: until stopped`;
  return z.nullable(
    z.number({ error }).check(z.gte(DURATION_S.min, { error }), z.lte(DURATION_S.max, { error })),
  );
}

function intervalSchema() {
  const error = `a number from ${INTERVAL_S.min} to ${INTERVAL_S.max}`;
  return z.number({ error }).check(z.gte(INTERVAL_S.min, { error }), z.lte(INTERVAL_S.max, { error }));
}

function serverSchema() {
  return z.any().check((context) => {
    for (const { path, message } of serverFaults(context.value)) {
      context.issues.push({ code: 'custom', input: context.value, path, message });
    }
  });
}

interface Fault {
  path: string[];
  message: string;
}

function serverFaults(server: unknown): Fault[] {
  const ids = named_servers.map(({ id }) => id);
  const servers_in_words = `${oneOf(ids)}, or an object with based_on and values of one's own`;
  if (typeof server === 'string')
    return ids.includes(server) ? [] : [{ path: [], message: servers_in_words }];
  if (typeof server !== 'object' || server === null || Array.isArray(server)) {
    return [{ path: [], message: servers_in_words }];
  }
  const { based_on, ...own } = server as Record<string, unknown>;
  if (typeof based_on !== 'string' || !ids.includes(based_on)) {
    return [{ path: ['based_on'], message: oneOf(ids) }];
  }
  const faults = Object.entries(own).flatMap(([id, value]) => serverValueFaults(id, value));
  return faults.length > 0 ? faults : cpuFaults({ ...valuesOfServer(based_on), ...own });
}

function serverValueFaults(id: string, value: unknown): Fault[] {
  const field = server_fields.find((known) => known.id === id);
  if (field === undefined) {
    return [{ path: [id], message: oneOf(['based_on', ...server_fields.map((known) => known.id)]) }];
  }
  const { min, max } = field;
  const is_good = Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  return is_good ? [] : [{ path: [id], message: integerInWords(min, max) }];
}

function cpuFaults(values: Record<string, unknown>): Fault[] {
  const { sockets, cores_per_socket, threads_per_core } = values as Record<string, number>;
  const most = Math.floor(SERVER_CPUS_MAX / (sockets! * threads_per_core!));
  if (cores_per_socket! <= most) return [];
  return [
    {
      path: ['cores_per_socket'],
      message: `at most ${most}: ${SERVER_CPUS_MAX} CPUs in all sockets together`,
    },
  ];
}

function actionsSchema(manifest: Manifest) {
  const error = `a list of at most ${ACTIONS_MAX} actions`;
  const at_s_error = `a number from 0 to ${DURATION_S.max}`;
  const action = strictObject(
    {
      at_s: z
        .number({ error: at_s_error })
        .check(z.gte(0, { error: at_s_error }), z.lte(DURATION_S.max, { error: at_s_error })),
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
  const error = integerInWords(min, max);
  return z.int({ error }).check(z.gte(min, { error }), z.lte(max, { error }));
}

const integerInWords = (min: number, max: number) => `an integer from ${min} to ${max}`;

const choice = (values: string[]) => z.enum(values, { error: oneOf(values) });

function strictObject<Shape extends z.core.$ZodShape>(shape: Shape, in_words: string) {
  return z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? oneOf(Object.keys(shape)) : in_words),
  });
}

const designInWords = ({ designs }: Manifest) =>
  `an object of knobs and variants, or a preset: ${Object.keys(designs).join(', ')}`;

const oneOf = (values: string[]) => (values.length === 1 ? values[0]! : `one of ${values.join(', ')}`);

/** The faults that one issue of a schema stands for; messages of the schema are what is allowed. */
export function fieldErrors(issue: z.core.$ZodIssue, input: unknown, fields: string[]): FieldError[] {
  const keys =
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
  const allowed =
    issue.code === 'unrecognized_keys' && issue.path.length === 0 ? oneOf(fields) : issue.message;
  return keys.map((path) => ({
    field: fieldPath(path),
    value: describeValue(valueAt(input, path)),
    allowed,
  }));
}

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
