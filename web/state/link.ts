// A run spec in the fragment of a URL, written so that a person can read and edit it:
//   #v=1&scenario=fil-mutex-69276&design.tablespace_lookup=atomic_word&threads=8&parameters.tables=8&at=2:one_table
//   #v=1&scenario=fil-mutex-69276&platform=virtual&server=xeon-2020&server.pause_ps=9000&threads=200
import type { FieldError } from '../engine-client/field-error';
import { all_platforms } from '../engine-client/platforms';
import type { Scenario } from './manifest';
import { parseRunSpec, type Machine, type Parsed, type RunSpec, type TimedAction } from './run-spec';

const NUMBER_FIELDS = ['threads', 'seed', 'duration_s', 'interval_s', 'events_max'];
const TEXT_FIELDS = ['scenario', 'platform', 'server'];
const GROUPS = ['design', 'parameters', 'server'];
const KEYS_IN_WORDS =
  'v, scenario, platform, server, server.…, threads, seed, duration_s, interval_s, events_max, design.…, parameters.…, at';
/** What means the same on any platform. */
const FIELDS_OF_ANY_PLATFORM = ['v', 'scenario', 'seed'];
const CHARACTERS_MAX = 8192;

type Entry = [string, unknown];

export function formatLink(spec: RunSpec): string {
  const pairs: [string, string][] = [
    ['v', String(spec.version)],
    ['scenario', spec.scenario],
    ...Object.entries(spec.design).map(([knob, variant]): [string, string] => [`design.${knob}`, variant]),
    ['platform', spec.platform],
    ...serverPairs(spec),
    ['threads', String(spec.threads)],
    ['seed', String(spec.seed)],
    ...optionalPair('duration_s', spec.duration_s),
    ...optionalPair('interval_s', spec.interval_s),
    ...optionalPair('events_max', spec.events_max),
    ...Object.entries(spec.parameters).map(([id, value]): [string, string] => [
      `parameters.${id}`,
      String(value),
    ]),
    ...spec.actions.map((action): [string, string] => ['at', formatTimedAction(action)]),
  ];
  return `#${pairs.map(([key, value]) => `${key}=${value}`).join('&')}`;
}

function serverPairs({ server }: RunSpec): [string, string][] {
  if (server === undefined) return [];
  const { based_on, ...own } = typeof server === 'string' ? { based_on: server } : server;
  return [
    ['server', based_on],
    ...Object.entries(own).map(([id, value]): [string, string] => [`server.${id}`, String(value)]),
  ];
}

const optionalPair = (key: string, value: number | null | undefined): [string, string][] =>
  value === null || value === undefined ? [] : [[key, String(value)]];

/** Reads a fragment, with or without its #; null if it is empty. */
export function parseLink(
  fragment: string,
  scenarios: readonly Scenario[],
  machine: Machine,
): Parsed<RunSpec> | null {
  const text = fragment.replace(/^#/, '');
  if (text === '') return null;
  if (text.length > CHARACTERS_MAX) {
    return refuse([
      { field: 'link', value: `${text.length} characters`, allowed: `up to ${CHARACTERS_MAX}` },
    ]);
  }
  const pairs = [...new URLSearchParams(text)];
  const errors = keyErrors(pairs);
  if (errors.length > 0) return refuse(errors);
  const parsed = parseRunSpec(runSpecOf(runnableHere(pairs, machine)), scenarios, machine);
  return parsed.ok ? parsed : refuse(parsed.errors.map(asLinkError));
}

/** A link from a page that could do more opens on a platform that this one has, with the defaults of that platform. */
function runnableHere(pairs: [string, string][], { platforms }: Machine): [string, string][] {
  const platform = all_platforms.find((known) => known === new Map(pairs).get('platform'));
  if (platform === undefined || platforms.length === 0 || platforms.includes(platform)) return pairs;
  return pairs.filter(([key]) => FIELDS_OF_ANY_PLATFORM.includes(key) || key.startsWith('design.'));
}

function runSpecOf(pairs: [string, string][]): Record<string, unknown> {
  const simple = pairs
    .filter(([key]) => TEXT_FIELDS.includes(key) || NUMBER_FIELDS.includes(key))
    .map(([key, value]): Entry => [key, NUMBER_FIELDS.includes(key) ? asNumber(value) : value]);
  const groups = GROUPS.map((group) => {
    const members = pairs
      .filter(([key]) => key.startsWith(`${group}.`))
      .map(([key, value]): Entry => {
        const member = key.slice(group.length + 1);
        return [member, group === 'design' ? value : asNumber(value)];
      });
    return [group, Object.fromEntries(members)] as const;
  });
  const { design, parameters, server: own } = Object.fromEntries(groups);
  const fields = Object.fromEntries(simple);
  const has_own = own !== undefined && Object.keys(own).length > 0;
  const actions = pairs.filter(([key]) => key === 'at').map(([, value]) => parseTimedAction(value));
  const version = asNumber(pairs.find(([key]) => key === 'v')?.[1]);
  const server = has_own ? { server: { based_on: fields.server, ...own } } : {};
  return { version, ...fields, ...server, design, parameters, actions };
}

function keyErrors(pairs: [string, string][]): FieldError[] {
  const seen = new Set<string>();
  return pairs.flatMap(([key, value]) => {
    const is_known =
      [...TEXT_FIELDS, ...NUMBER_FIELDS, 'v', 'at'].includes(key) ||
      GROUPS.some((group) => key.startsWith(`${group}.`));
    if (!is_known) return [{ field: key, value, allowed: `only the fields ${KEYS_IN_WORDS}` }];
    if (key !== 'at' && seen.has(key)) return [{ field: key, value, allowed: 'each field once' }];
    seen.add(key);
    return [];
  });
}

// Text that is no number goes on as text, so that the run spec's own check can name it.
function asNumber(text: string | undefined): unknown {
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function formatTimedAction(action: TimedAction): string {
  return 'action' in action
    ? `${action.at_s}:${action.action}`
    : `${action.at_s}:${action.knob}:${action.variant}`;
}

function parseTimedAction(text: string): Record<string, unknown> {
  const [at_s, first, second] = text.split(':');
  const what = second === undefined ? { action: first } : { knob: first, variant: second };
  return { at_s: asNumber(at_s), ...what };
}

// In a link the version is called v.
const asLinkError = (error: FieldError) => (error.field === 'version' ? { ...error, field: 'v' } : error);

const refuse = (errors: FieldError[]) => ({ ok: false as const, errors });
