// Converts a run spec to and from pairs of readable text, for links and lessons:
//
//    scenario=fil-mutex-69276  design.tablespace_lookup=atomic_word  threads=8
//    parameters.tables=8  at=2:one_table
//    platform=virtual  server=xeon-2020  server.pause_ps=9000  threads=200
//    design.tablespace_lookup=yours  latch=word%20locked%3B…  (source code, to be compiled)
//    scenario=workload  workload=workload%20%22…  (source code, to be compiled)
//    what_if.costs.pause_ps=50  what_if.latch=fil_system->mutex;section_percent=80
//    what_if.from_s=0.02
import type { Fault } from './fault.ts';
import type { Manifest } from './manifest.ts';
import type { RunSpec, TimedAction, WhatIf } from './run-spec-rules.ts';

export type Pair = readonly [key: string, value: string];

const NUMBER_FIELDS = ['threads', 'seed', 'duration_s', 'interval_s', 'events_max'];
const TEXT_FIELDS = ['scenario', 'platform', 'server'];
const GROUPS = ['design', 'parameters', 'server', 'stack_samples', 'what_if.costs'];
const LATCH = 'what_if.latch';
const SUPPOSED_FROM = 'what_if.from_s';
const READERS_LATCH = 'latch';
const WORKLOAD = 'workload';
/** Fields whose value is a source, encoded; the program is compiled from it. */
const SOURCES = [READERS_LATCH, WORKLOAD] as const;
export type SourceField = (typeof SOURCES)[number];
export type CompiledSources = Partial<Record<SourceField, object>>;
/** Maximum length of an encoded source; a longer one is omitted. */
export const LINKED_SOURCE_MAX = 24_000;
const REPEATABLE = ['at', LATCH];
const TIMED_ACTION_IN_WORDS = 'seconds:action, or seconds:knob:variant';

/** All keys, in the order in which errors list them. */
export const pair_keys_in_words = [
  'scenario',
  'platform',
  'server',
  'server.…',
  ...NUMBER_FIELDS,
  'design.…',
  'parameters.…',
  ...SOURCES,
  'stack_samples.…',
  'what_if.costs.…',
  LATCH,
  SUPPOSED_FROM,
  'at',
];

export const isPairKey = (key: string) =>
  [...TEXT_FIELDS, ...NUMBER_FIELDS, ...SOURCES, SUPPOSED_FROM, ...REPEATABLE].includes(key) ||
  GROUPS.some((group) => key.startsWith(`${group}.`));

/** Reports whether a key may occur more than once. */
export const isRepeatable = (key: string) => REPEATABLE.includes(key);

/** Returns the pairs of a run spec, except version and scenario. */
export const pairsOfRunSpec = (spec: RunSpec): [string, string][] => [
  ...groupPairs('design', spec.design),
  ['platform', spec.platform],
  ...serverPairs(spec),
  ['threads', String(spec.threads)],
  ['seed', String(spec.seed)],
  ...optionalPair('duration_s', spec.duration_s),
  ...optionalPair('interval_s', spec.interval_s),
  ...optionalPair('events_max', spec.events_max),
  ...groupPairs('stack_samples', spec.stack_samples ?? {}),
  ...whatIfPairs(spec.what_if),
  ...groupPairs('parameters', spec.parameters),
  ...sourcePairs(spec),
  ...spec.actions.map((action): [string, string] => ['at', formatTimedAction(action)]),
];

export const whatIfPairs = (what_if: WhatIf | undefined): [string, string][] => [
  ...groupPairs('what_if.costs', what_if?.costs ?? {}),
  ...(what_if?.latches ?? []).map((latch): [string, string] => [LATCH, formatLatch(latch)]),
  ...optionalPair(SUPPOSED_FROM, what_if?.from_s),
];

export const isWhatIfKey = (key: string) => key.startsWith('what_if.') && isPairKey(key);

const groupPairs = (group: string, members: Record<string, string | number>) =>
  Object.entries(members).map(([id, value]): [string, string] => [`${group}.${id}`, String(value)]);

const optionalPair = (key: string, value: number | null | undefined): [string, string][] =>
  value === null || value === undefined ? [] : [[key, String(value)]];

const sourcePairs = (spec: RunSpec): [string, string][] =>
  SOURCES.flatMap((field) => {
    const encoded = linkedSource(spec[field]?.source);
    return encoded === null ? [] : [[field, encoded] satisfies [string, string]];
  });

/** Encodes the source of a latch or a workload for a link; null: there is none, or it is too long. */
export function linkedSource(source: string | null | undefined): string | null {
  return source == null || isTooLongForLink(source) ? null : encodeURIComponent(source);
}

/** Returns whether links leave the source out. */
export const isTooLongForLink = (source: string): boolean =>
  encodeURIComponent(source).length > LINKED_SOURCE_MAX;

/** Returns whether a link to the run leaves a source out. */
export const isWithoutSource = (spec: RunSpec): boolean =>
  SOURCES.some((field) => isTooLongForLink(spec[field]?.source ?? ''));

/** Returns the sources in a link's pairs. */
export const sourcesInPairs = (pairs: readonly Pair[]): Partial<Record<SourceField, string>> =>
  Object.fromEntries(pairs.filter(([key]) => (SOURCES as readonly string[]).includes(key)));

function serverPairs({ server }: RunSpec): [string, string][] {
  if (server === undefined) return [];
  const { based_on, ...own } = typeof server === 'string' ? { based_on: server } : server;
  return [['server', based_on], ...groupPairs('server', own)];
}

/** Formats the latch and its changes: fil_system->mutex;section_percent=80;line=still */
const formatLatch = ({ latch, ...rest }: LatchWhatIf) =>
  [latch, ...Object.entries(rest).map(([name, value]) => `${name}=${value}`)].join(';');

type LatchWhatIf = NonNullable<WhatIf['latches']>[number];

function parseLatch(text: string): Record<string, unknown> {
  const [latch = '', ...rest] = text.split(';');
  const named = rest.map((part) => {
    const [name = '', ...value] = part.split('=');
    return [name, numberIfHeld(value.join('='))] as const;
  });
  return { latch, ...Object.fromEntries(named) };
}

export function formatTimedAction(action: TimedAction): string {
  return 'action' in action
    ? `${action.at_s}:${action.action}`
    : `${action.at_s}:${action.knob}:${action.variant}`;
}

/**
 * Converts pairs to an object; run-spec-rules.ts checks whether it is a run spec. `compiled` has
 * the programs of the pairs' sources. Values of a server without its name change `usualServer`.
 */
export function inputOfPairs(
  pairs: readonly Pair[],
  compiled: CompiledSources = {},
  usualServer?: string,
): Record<string, unknown> {
  const simple = pairs
    .filter(([key]) => TEXT_FIELDS.includes(key) || NUMBER_FIELDS.includes(key))
    .map(([key, value]) => [key, NUMBER_FIELDS.includes(key) ? numberIfHeld(value) : value] as const);
  const { server, ...fields } = Object.fromEntries(simple);
  const [design, parameters, own_server, stack_samples, costs] = GROUPS.map((group) =>
    membersOf(group, pairs),
  );
  const latches = pairs.filter(([key]) => key === LATCH).map(([, value]) => parseLatch(value));
  const from_s = pairs.find(([key]) => key === SUPPOSED_FROM)?.[1];
  const what_if = {
    ...given('costs', costs),
    ...(latches.length > 0 && { latches }),
    ...given('from_s', from_s === undefined ? undefined : numberIfHeld(from_s)),
  };
  return {
    ...fields,
    ...given('server', own_server ? { based_on: server ?? usualServer, ...own_server } : server),
    ...given('stack_samples', stack_samples),
    ...(Object.keys(what_if).length > 0 && { what_if }),
    ...given('design', design),
    ...given('parameters', parameters),
    ...sourceFields(pairs, compiled),
    actions: pairs.filter(([key]) => key === 'at').map(([, value]) => parseTimedAction(value)),
  };
}

const given = (field: string, value: unknown) => (value === undefined ? {} : { [field]: value });

const sourceFields = (pairs: readonly Pair[], compiled: CompiledSources) =>
  Object.fromEntries(
    Object.entries(sourcesInPairs(pairs)).map(([field, source]) => [
      field,
      { source, ...given('program', compiled[field as SourceField]) },
    ]),
  );

function membersOf(group: string, pairs: readonly Pair[]): Record<string, unknown> | undefined {
  const members = pairs
    .filter(([key]) => key.startsWith(`${group}.`))
    .map(([key, value]) => [key.slice(group.length + 1), group === 'design' ? value : numberIfHeld(value)]);
  return members.length === 0 ? undefined : (Object.fromEntries(members) as Record<string, unknown>);
}

export function parseTimedAction(text: string): Record<string, unknown> {
  const [at_s = '', first, second] = text.split(':');
  const what = second === undefined ? { action: first } : { knob: first, variant: second };
  return { at_s: numberIfHeld(at_s), ...what };
}

/** Reports text after an action, or after the variant of a knob. */
export function pairErrors(pairs: readonly Pair[], manifest: Manifest | undefined): Fault[] {
  return pairs.flatMap(([key, value]) => {
    if (key !== 'at') return [];
    const [, what, ...rest] = value.split(':');
    const pieces_max = manifest?.actions.some(({ id }) => id === what) ? 0 : 1;
    return rest.length > pieces_max ? [{ field: key, value, allowed: TIMED_ACTION_IN_WORDS }] : [];
  });
}

/** Returns the pair that a field of the run spec comes from; undefined: none. */
export function pairOfField(field: string, pairs: readonly Pair[]): Pair | undefined {
  const entry = /^(actions|what_if\.latches)\[(\d+)\]/.exec(field);
  if (entry !== null) {
    const of_entry = entry[1] === 'actions' ? 'at' : LATCH;
    return pairs.filter(([key]) => key === of_entry)[Number(entry[2])];
  }
  const key = field === 'server.based_on' ? 'server' : field;
  return pairs.find(([known]) => known === key);
}

/** Numbers as JavaScript writes them, including very small ones. */
const WRITTEN_NUMBER = /^-?\d+(\.\d+)?(e[+-]\d+)?$/;
const INTEGER = /^-?\d+$/;

/**
 * Converts text to a number. Text that is not a number, or that a number cannot represent, stays
 * text, so that an error can quote it.
 */
export function numberIfHeld(text: string, form = WRITTEN_NUMBER): number | string {
  if (!form.test(text)) return text;
  const value = Number(text);
  const is_held = INTEGER.test(text) ? Number.isSafeInteger(value) : Number.isFinite(value);
  return is_held ? value : text;
}
