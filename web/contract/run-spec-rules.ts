// Checks run specs: the fields of all scenarios (run-spec-fields.ts), and the rules of the
// scenario's manifest, the modeled servers and the machine. run-spec.ts passes the servers of the
// page; tools pass the servers that they have read.
import * as z from 'zod/mini';

import type { Design } from './design.ts';
import { engine_limits } from './engine-limits.ts';
import { versionFaults, type Fault } from './fault.ts';
import { latchesOf } from './latches-of.ts';
import type { Knob, Manifest, Variant } from './manifest.ts';
import { all_platforms, type Platform } from './platforms.ts';
import {
  ACTION_OR_TURN,
  actionsOf,
  duration_s,
  DURATION_S,
  events_max,
  interval_s,
  INTERVAL_DEFAULT_S,
  percent,
  readersLatch,
  RUN_SPEC_VERSION,
  seed,
  stack_samples,
  timedAction,
  timedTurn,
  whatIf,
  type TimedAction,
} from './run-spec-fields.ts';
import { faultInWords, faultsOf } from './schema-faults.ts';
import { choice, exactly, integer, oneOf, strictObject } from './schema-parts.ts';
import { valuesOfServer, type Servers } from './servers-file.ts';
import { workloadField } from './workload-fields.ts';
import { scenarioOfSpec, WORKLOAD } from './workload-manifest.ts';
import type { Workload } from './workload-program.ts';

const VIRTUAL_SAMPLE_S = 0.02;
const { intervals_max } = engine_limits;
const INTERVALS_ALLOWED = `long enough that duration_s has at most ${intervals_max} intervals`;

/** Everything that determines a run. */
export type RunSpec = z.infer<ReturnType<typeof runSpecSchema>>;
/** A run spec that ends by itself. */
export type TimedRunSpec = RunSpec & { duration_s: number };
/** A server by its id, possibly with the reader's own values. */
export type ServerChoice = NonNullable<RunSpec['server']>;
export type OwnServer = { based_on: string } & Record<string, number | string>;
export type StackSamples = NonNullable<RunSpec['stack_samples']>;
export type ReadersLatch = NonNullable<RunSpec['latch']>;
export type WhatIf = NonNullable<RunSpec['what_if']>;
export type { TimedAction };

/** Machine properties that limits and defaults depend on, in addition to the manifest. */
export interface Machine {
  cores: number;
  /** As far as the browser reports it; browsers report at most 8. */
  memory_gib?: number;
  /** The platforms that this page can run, its preferred one first; empty if there is none. */
  platforms: readonly Platform[];
}

/** Returns the default platform of a run spec. */
export const preferredPlatform = ({ platforms }: Machine): Platform => platforms[0] ?? 'threads';

export type Parsed<T> = { ok: true; value: T } | { ok: false; errors: Fault[] };

/** The data that run specs are checked against. */
export interface Known {
  manifests: readonly Manifest[];
  servers: Servers;
  machine: Machine;
}

type Checked = { ok: true; value: RunSpec } | { ok: false; faults: Fault<unknown>[] };

/** Checks a run spec, fills in defaults, and reports all faults. */
export function parseRunSpecOf(input: unknown, known: Known): Parsed<RunSpec> {
  const checked = checkRunSpec(input, known);
  return checked.ok ? checked : { ok: false, errors: checked.faults.map(faultInWords) };
}

function checkRunSpec(input: unknown, { manifests, servers, machine }: Known): Checked {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return refuse('run spec', input, 'an object');
  }
  const given = input as Record<string, unknown>;
  const of_other_version = versionFaults(given.version, RUN_SPEC_VERSION);
  if (of_other_version.length > 0) return { ok: false, faults: of_other_version };
  const found = manifestOf(given, manifests);
  if (!found.ok) return found;
  const { manifest } = found;
  const { platform = preferredPlatform(machine) } = given;
  const allowed = machine.platforms.length === 0 ? all_platforms : machine.platforms;
  if (!isPlatform(platform) || !allowed.includes(platform)) {
    return refuse('platform', platform, oneOf(allowed));
  }
  const content = {
    ...(platform === 'virtual' ? { server: manifest.virtual_server } : {}),
    ...withoutUndefined(given),
    platform,
    ...presetIn(given, manifest),
  };
  const parsed = runSpecSchema({ manifest, servers, machine, platform }).safeParse(content);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, faults: faultsOf(parsed.error.issues, content) };
}

/** Returns the manifest of a bug, or of the spec's own workload. */
function manifestOf(
  { scenario, workload }: Record<string, unknown>,
  manifests: readonly Manifest[],
): { ok: true; manifest: Manifest } | { ok: false; faults: Fault<unknown>[] } {
  if (scenario !== WORKLOAD) {
    const manifest = manifests.find(({ id }) => id === scenario);
    return manifest === undefined
      ? refuse('scenario', scenario, oneOf([...new Set([...idsOf(manifests), WORKLOAD])]))
      : { ok: true, manifest };
  }
  const of_workload = { workload };
  const { error } = strictObject({ workload: workloadField() }).safeParse(of_workload);
  if (error !== undefined) return { ok: false, faults: faultsOf(error.issues, of_workload) };
  const { manifest } = scenarioOfSpec({ scenario, workload: workload as Workload }, [])!;
  return { ok: true, manifest };
}

const isPlatform = (value: unknown): value is Platform =>
  (all_platforms as readonly unknown[]).includes(value);

/** Resolves a design that is the name of a preset. */
function presetIn({ design }: Record<string, unknown>, { designs }: Manifest): { design?: Design } {
  return typeof design === 'string' && Object.hasOwn(designs, design) ? { design: designs[design]! } : {};
}

/** Removes undefined fields, which scripts may pass for omitted ones. */
const withoutUndefined = (content: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined));

/**
 * Returns the page's default run spec, with `part` overriding its fields. On the virtual server it
 * covers a sample of the report's seconds.
 */
export function offeredRunSpec(
  { manifest, servers, machine, platform }: RunConditions,
  part: object = {},
): Checked {
  const sample = platform === 'virtual' ? { interval_s: manifest.virtual_sample_s ?? VIRTUAL_SAMPLE_S } : {};
  const { workload } = manifest;
  const scenario = { scenario: manifest.id, ...(workload !== undefined && { workload }) };
  const input = { version: RUN_SPEC_VERSION, ...scenario, platform, ...sample, ...part };
  const here = { ...machine, platforms: [platform] };
  return checkRunSpec(input, { manifests: [manifest], servers, machine: here });
}

/** Returns why part of a run spec cannot run, on a machine that has the platform. */
export function runSpecFaults(part: object, conditions: Omit<RunConditions, 'machine'>): Fault<unknown>[] {
  const offered = offeredRunSpec({ ...conditions, machine: { cores: 1, platforms: all_platforms } }, part);
  return offered.ok ? [] : offered.faults;
}

/** Returns the limits of the number of clients. */
export function threadsRange({ threads }: Manifest, platform: Platform): { min: number; max: number } {
  const most = engine_limits.clients_max[platform];
  return { min: threads.min, max: platform === 'virtual' ? most : Math.min(threads.max, most) };
}

/**
 * Returns the default number of clients: the report's on the virtual server, otherwise the
 * manifest's, or one per core if the machine has more cores.
 */
function defaultThreads(manifest: Manifest, { cores }: Machine, platform: Platform): number {
  const { threads } = manifest;
  if (platform === 'virtual') return threads.virtual_default;
  return Math.min(Math.max(threads.default, cores), threadsRange(manifest, platform).max);
}

interface RunConditions {
  manifest: Manifest;
  servers: Servers;
  machine: Machine;
  platform: Platform;
}

/**
 * Returns the schema for one scenario on one platform: each field with its limits and its default.
 * The table in docs/reference/contract.md is generated from it.
 */
export function runSpecSchema({ manifest, servers, machine, platform }: RunConditions) {
  const { knobs, parameters } = manifest;
  const is_virtual = platform === 'virtual';
  const design = knobs.map((knob) => {
    const variants = idsOf(knob.variants);
    return [knob.id, z._default(choice(variants), variants[0]!)] as const;
  });
  const parameter_values = parameters.map(({ id, min, max, default: here, virtual_default = here }) => {
    return [id, z._default(integer({ min, max }), is_virtual ? virtual_default : here)] as const;
  });
  const ofVirtual = <Schema extends z.ZodMiniType>(schema: Schema) =>
    z.exactOptional(is_virtual ? schema : (nothing() as unknown as Schema));
  const fields = {
    version: exactly(RUN_SPEC_VERSION).check(z.describe('version of this format')),
    scenario: exactly(manifest.id).check(z.describe('id of the bug, or `workload`')),
    workload: (manifest.workload === undefined ? z.exactOptional(notOfBugs()) : workloadField()).check(
      z.describe('a [workload file](workload-language.md): its text, and what it compiles to'),
    ) as unknown as z.ZodMiniExactOptional<z.ZodMiniType<Workload>>,
    design: z
      .prefault(strictObject(Object.fromEntries(design), designInWords(manifest)), {})
      .check(z.describe('a variant for every knob; a missing knob has its first variant')),
    platform: exactly<Platform>(platform).check(
      z.describe('`threads`: real threads of this machine; `virtual`: a modeled server'),
    ),
    server: ofVirtual(serverSchema(servers)).check(
      z.describe('the modeled server; default: the model of the report’s server'),
    ),
    events_max: ofVirtual(events_max()).check(z.describe('the run ends after this many events of the model')),
    stack_samples: ofVirtual(stack_samples()).check(z.describe('requested samples of all threads’ stacks')),
    what_if: ofVirtual(whatIf(costsSchema(servers), latchesOf(manifest))).check(
      z.describe('different costs of the server or of its latches ([What if](../guide/what-if.md))'),
    ),
    latch: z
      .exactOptional(readersLatch())
      .check(
        z.describe(
          'the latch behind the variant `yours` ([latch lab](../guide/latch-lab.md#run-it-in-a-server))',
        ),
      ),
    threads: z
      ._default(integer(threadsRange(manifest, platform)), defaultThreads(manifest, machine, platform))
      .check(z.describe('clients')),
    seed: z._default(seed(), 1).check(z.describe('seed of all random generators')),
    duration_s: z
      ._default(z.nullable(duration_s()), null)
      .check(z.describe('run time; `null`: until stopped')),
    interval_s: z.exactOptional(interval_s()).check(z.describe('run time per sysbench line; default: 1')),
    parameters: z
      .prefault(strictObject(Object.fromEntries(parameter_values), 'an object of parameters'), {})
      .check(z.describe('parameters of the manifest; a missing one has its default')),
    actions: z
      ._default(actionsOf(timedActionSchema(manifest)), [])
      .check(z.describe('actions and knob changes at stated run times, in that order')),
  };
  return strictObject(fields).check((context) => {
    const { actions, duration_s: end_s } = context.value;
    for (const { place, allowed } of stepsOutOfTime(actions, end_s)) {
      const path = ['actions', place, 'at_s'];
      context.issues.push({ code: 'custom', input: actions[place]!.at_s, path, message: allowed });
    }
    const { server, what_if } = context.value as { server?: ServerChoice; what_if?: WhatIf };
    for (const { id, percent: of_cost, allowed } of costsOutOfRange(what_if, server, servers)) {
      const path = ['what_if', 'costs', id];
      context.issues.push({ code: 'custom', input: of_cost, path, message: allowed });
    }
    for (const { path, input, allowed } of latchFaults(manifest, context.value)) {
      context.issues.push({ code: 'custom', input, path, message: allowed });
    }
    const every_s = (context.value as { interval_s?: number }).interval_s ?? INTERVAL_DEFAULT_S;
    if (end_s !== null && end_s / every_s > intervals_max) {
      context.issues.push({
        code: 'custom',
        input: every_s,
        path: ['interval_s'],
        message: INTERVALS_ALLOWED,
      });
    }
  });
}

/** Returns actions that come before an earlier one, or after the end of the run. */
const stepsOutOfTime = (actions: readonly TimedAction[], end_s: number | null) =>
  actions.flatMap(({ at_s }, place) => {
    if (at_s < 0 || at_s > DURATION_S.max) return []; // Its own schema reports it.
    const before_s = actions[place - 1]?.at_s ?? 0;
    if (at_s < before_s) return [{ place, allowed: `at least ${before_s}: actions are sorted by time` }];
    if (end_s !== null && at_s > end_s)
      return [{ place, allowed: `at most ${end_s}, the end of the run (duration_s)` }];
    return [];
  });

/**
 * Reports variants that need a reader's latch of a kind that is missing, and a latch that no
 * variant uses.
 */
function latchFaults({ knobs }: Manifest, { design, actions, latch }: Pick<RunSpec, LatchFields>) {
  const turned = Object.entries(design).map(([knob, variant]) => ({ knob, variant, path: ['design', knob] }));
  const to_turn = actions.flatMap((action, place) =>
    'knob' in action ? [{ ...action, path: ['actions', place, 'variant'] }] : [],
  );
  const faults = [...turned, ...to_turn].flatMap(({ knob, variant, path }) => {
    const { variants } = knobs.find(({ id }) => id === knob)!;
    const chosen = variants.find(({ id }) => id === variant);
    const allowed = chosen && latchMissing(chosen, variants, latch);
    return allowed == null ? [] : [{ path, input: variant, allowed }];
  });
  const is_for_nothing = latch !== undefined && !knobs.some(hasVariantOfReader);
  return is_for_nothing ? [...faults, { path: ['latch'], input: latch, allowed: FOR_NOTHING }] : faults;
}
type LatchFields = 'design' | 'actions' | 'latch';
type NeededLatch = NonNullable<Variant['needs']>;
export const kinds_in_words: Record<NeededLatch, string> = { latch: 'a latch', rw_latch: 'an rw-latch' };
const FOR_NOTHING = 'omitted: no variant of this scenario is a latch of your own';

export const hasVariantOfReader = ({ variants }: Knob) => variants.some(({ needs }) => needs !== undefined);

/**
 * Reports whether a variant is available with this latch, or without any. An rw-latch is also
 * accepted as a latch.
 */
export const canBeChosen = ({ needs }: Variant, latch: RunSpec['latch'] | null) =>
  needs === undefined || (latch != null && (needs === 'latch' || isRwLatch(latch)));

const isRwLatch = ({ program }: ReadersLatch) => Object.hasOwn(program.functions ?? {}, 'enter_shared');

/** Returns the alternatives to a variant that is not available; null: it is available. */
export function latchMissing(variant: Variant, all: readonly Variant[], latch: RunSpec['latch'] | null) {
  if (canBeChosen(variant, latch)) return null;
  const others = oneOf(idsOf(all.filter(({ needs }) => needs === undefined)));
  return `${variant.id} with ${kinds_in_words[variant.needs!]} (the field latch), or ${others}`;
}

const notOfBugs = () => z.never({ error: 'omitted: only of scenario workload' });
const nothing = () => z.never({ error: 'omitted: virtual only' });

function serverSchema({ fields, servers }: Servers) {
  const ids = idsOf(servers);
  const values = fields.map((field) => [field.id, z.exactOptional(integer(field))] as const);
  const own = strictObject({ based_on: choice(ids), ...Object.fromEntries(values) }).check((context) => {
    const { based_on, ...rest } = context.value;
    const fault = cpuFault({ ...valuesOfServer({ fields, servers }, based_on), ...rest });
    if (fault !== null) {
      context.issues.push({
        code: 'custom',
        input: context.value,
        path: ['cores_per_socket'],
        message: fault,
      });
    }
  });
  return z.union([choice(ids), own as unknown as z.ZodMiniType<OwnServer>], {
    error: `${oneOf(ids)}, or an object with based_on and changed values`,
  });
}

/** Returns the values of a server that are times or shares of times, not numbers of things. */
const costsOf = ({ fields }: Servers) => fields.filter(({ unit }) => unit === 'ps' || unit === 'percent');

function costsSchema(servers: Servers) {
  const percents = costsOf(servers).map(({ id }) => [id, z.exactOptional(percent())] as const);
  const costs = strictObject(Object.fromEntries(percents), 'an object of costs and percents');
  return costs as unknown as z.ZodMiniType<Record<string, number>>;
}

/** Reports costs that would move a value of the server out of its range. */
function costsOutOfRange(what_if: WhatIf | undefined, server: ServerChoice | undefined, servers: Servers) {
  if (what_if?.costs === undefined || server === undefined) return [];
  const { based_on, ...own } = typeof server === 'string' ? { based_on: server } : server;
  const values = { ...valuesOfServer(servers, based_on), ...own };
  return Object.entries(what_if.costs).flatMap(([id, of_cost]) => {
    const { min, max } = servers.fields.find((field) => field.id === id)!;
    const value = Number(values[id]);
    const supposed = Math.floor((value * of_cost) / 100);
    // Its own schema reports it.
    if (of_cost < 0 || of_cost > engine_limits.what_if_percent_max) return [];
    if (supposed >= min && supposed <= max) return [];
    const allowed = `a percentage that keeps ${id} from ${min} to ${max}; this server has ${value}`;
    return [{ id, percent: of_cost, allowed }];
  });
}

function cpuFault({ sockets, cores_per_socket, threads_per_core }: Record<string, number>): string | null {
  const { server_cpus_max } = engine_limits;
  const most = Math.floor(server_cpus_max / (sockets! * threads_per_core!));
  return cores_per_socket! <= most ? null : `at most ${most}: a server has at most ${server_cpus_max} CPUs`;
}

function timedActionSchema({ actions, knobs }: Manifest) {
  const variants = knobs.map((knob) => `${oneOf(idsOf(knob.variants))} of ${knob.id}`).join('; ');
  const turn = timedTurn(choice(idsOf(knobs)), z.string({ error: variants })).check((context) => {
    const { knob, variant } = context.value;
    const known = idsOf(knobs.find(({ id }) => id === knob)!.variants);
    if (known.includes(variant)) return;
    context.issues.push({ code: 'custom', input: variant, path: ['variant'], message: oneOf(known) });
  });
  return z.union([timedAction(choice(idsOf(actions))), turn], { error: ACTION_OR_TURN });
}

const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id);

const designInWords = ({ designs }: Manifest) =>
  `an object of knobs and variants, or a preset: ${Object.keys(designs).join(', ')}`;

const refuse = (field: string, value: unknown, allowed: string) => ({
  ok: false as const,
  faults: [{ field, value, allowed }],
});
