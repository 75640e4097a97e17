// A run spec in the fragment of a URL, written so that a person can read and edit it:
//   #v=1&scenario=fil-mutex-69276&design.tablespace_lookup=atomic_word&threads=8&parameters.tables=8&at=2:one_table
//   #v=1&scenario=fil-mutex-69276&platform=virtual&server=xeon-2020&server.pause_ps=9000&threads=200
// and which view of it: none is the explorer. No fragment at all is the start page.
//   #v=1&view=sweep&scenario=fil-mutex-69276
// with what features of the page have beside the run spec (feature.ts), such as the step at which the lesson is open:
//   #v=1&scenario=undo-read-117533&lesson=2&presenter=1
// and that the run starts by itself; if nothing is said of the run, it is the scenario's first run:
//   #v=1&scenario=undo-read-117533&run=1
import type { FieldError } from '../contract/field-error';
import { all_platforms } from '../contract/platforms';
import { fieldOfLink } from './draft';
import { firstRunSpec } from './first-run';
import type { LinkFields, LinkPair } from './feature';
import type { Scenario } from '../contract/manifest';
import {
  parseRunSpec,
  type Machine,
  type Parsed,
  type RunSpec,
  type TimedAction,
} from '../contract/run-spec';
import type { ExplorerState, View } from './store';

const NUMBER_FIELDS = ['threads', 'seed', 'duration_s', 'interval_s', 'events_max'];
const TEXT_FIELDS = ['scenario', 'platform', 'server'];
/** Every view that a link can name; the start page is the link without a fragment. */
const LINKED_VIEWS = ['explorer', 'compare', 'sweep'] as const satisfies View[];
const GROUPS = ['design', 'parameters', 'server'];
/** What means the same on any platform. */
const FIELDS_OF_ANY_PLATFORM = ['v', 'view', 'run', 'scenario', 'seed'];
/** What does not say which run it is. */
const FIELDS_BESIDE_THE_RUN = ['v', 'view', 'run', 'scenario'];
const TIMED_ACTION_IN_WORDS = 'seconds:action, or seconds:knob:variant';
const CHARACTERS_MAX = 8192;

type Entry = [string, unknown];

/** What a link opens. */
export interface LinkTarget {
  view: View;
  spec: RunSpec;
  /** It starts by itself: as the link says, or as the scenario's first run, of which it says nothing. */
  starts?: 'as_linked' | 'first_run';
  /** What the fields of features say, each under the names of its own. */
  of_features: object;
}

/** `of_features` are the pairs of features (LinkFields.format), by whether they stand beside the run. */
export function formatLink(
  spec: RunSpec,
  view: View = 'explorer',
  { beside_the_run, others } = no_pairs,
): string {
  const pairs: LinkPair[] = [
    ['v', String(spec.version)],
    ...(view === 'compare' || view === 'sweep' ? [['view', view] satisfies LinkPair] : []),
    ['scenario', spec.scenario],
    ...beside_the_run,
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
    ...others,
  ];
  return `#${pairs.map(([key, value]) => `${key}=${value}`).join('&')}`;
}

interface FeaturePairs {
  beside_the_run: readonly LinkPair[];
  others: readonly LinkPair[];
}

const no_pairs: FeaturePairs = { beside_the_run: [], others: [] };

/** The link of the page as it is shown; null while a field of the next run is wrong. */
export function linkShown(state: ExplorerState, fields: readonly LinkFields[]): string | null {
  if (state.draft_spec === null) return null;
  const pairsOf = (is_beside_the_run: boolean) =>
    fields
      .filter((field) => field.is_beside_the_run === is_beside_the_run)
      .flatMap((field) => field.format(state));
  return formatLink(state.draft_spec, state.view, { beside_the_run: pairsOf(true), others: pairsOf(false) });
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

/** Reads a fragment, with or without its #; null if it is empty. `fields`: those that features have beside the run spec. */
export function parseLink(
  fragment: string,
  scenarios: readonly Scenario[],
  machine: Machine,
  fields: readonly LinkFields[] = [],
): Parsed<LinkTarget> | null {
  const text = fragment.replace(/^#/, '');
  if (text === '') return null;
  if (text.length > CHARACTERS_MAX) {
    return refuse([
      { field: 'link', value: `${text.length} characters`, allowed: `up to ${CHARACTERS_MAX}` },
    ]);
  }
  const pairs = [...new URLSearchParams(text)];
  const errors = [...keyErrors(pairs, fields), ...timedActionErrors(pairs, scenarios)];
  if (errors.length > 0) return refuse(errors);
  const runnable = runnableHere(pairs, machine, fields);
  const parsed = parseRunSpec(runSpecOf(runnable), scenarios, machine);
  if (!parsed.ok) return refuse(parsed.errors.map(asLinkError));
  const named = new Map(pairs).get('view');
  const view = LINKED_VIEWS.find((known) => known === (named ?? 'explorer'))!;
  const misplaced = [
    ...fields.flatMap((field) => field.misplaced?.(view, pairs) ?? []),
    ...misplacedStart(view, pairs),
  ];
  if (misplaced.length > 0) return refuse(misplaced);
  const scenario = scenarios.find(({ manifest }) => manifest.id === parsed.value.scenario)!;
  const link = { view, pairs, runnable, spec: parsed.value, scenario, machine };
  const of_features = {};
  for (const field of fields) {
    const said = field.parse(link);
    if (!said.ok) return said;
    Object.assign(of_features, said.value);
  }
  const starts = whatStarts(pairs, fields);
  const spec = starts === 'first_run' ? firstRunSpec(scenario.manifest, machine) : parsed.value;
  return { ok: true, value: { view, spec, ...(starts && { starts }), of_features } };
}

function misplacedStart(view: View, pairs: [string, string][]): FieldError[] {
  const starts = view !== 'explorer' && pairs.some(([key]) => key === 'run');
  return starts ? [{ field: 'run', value: '1', allowed: `no such field with view=${view}` }] : [];
}

function whatStarts(pairs: [string, string][], fields: readonly LinkFields[]): LinkTarget['starts'] | null {
  if (!pairs.some(([key]) => key === 'run')) return null;
  const is_beside_the_run = (key: string) =>
    FIELDS_BESIDE_THE_RUN.includes(key) ||
    fields.some((field) => field.is_beside_the_run && field.isField(key));
  return pairs.every(([key]) => is_beside_the_run(key)) ? 'first_run' : 'as_linked';
}

/** The link that shows a scenario's bug at once, on any machine. */
export const firstRunLink = (scenario: string) => `#v=1&scenario=${scenario}&run=1`;

/** A link from a page that could do more opens on a platform that this one has, with the defaults of that platform. */
function runnableHere(
  pairs: [string, string][],
  { platforms }: Machine,
  fields: readonly LinkFields[],
): [string, string][] {
  const platform = all_platforms.find((known) => known === new Map(pairs).get('platform'));
  if (platform === undefined || platforms.length === 0 || platforms.includes(platform)) return pairs;
  return pairs.filter(
    ([key]) =>
      FIELDS_OF_ANY_PLATFORM.includes(key) ||
      key.startsWith('design.') ||
      fields.some((field) => field.isOfAnyPlatform(key)),
  );
}

function runSpecOf(pairs: [string, string][]): Record<string, unknown> {
  const simple = pairs
    .filter(([key]) => TEXT_FIELDS.includes(key) || NUMBER_FIELDS.includes(key))
    .map(([key, value]): Entry => [key, NUMBER_FIELDS.includes(key) ? fieldOfLink(value) : value]);
  const groups = GROUPS.map((group) => {
    const members = pairs
      .filter(([key]) => key.startsWith(`${group}.`))
      .map(([key, value]): Entry => {
        const member = key.slice(group.length + 1);
        return [member, group === 'design' ? value : fieldOfLink(value)];
      });
    return [group, Object.fromEntries(members)] as const;
  });
  const { design, parameters, server: own } = Object.fromEntries(groups);
  const fields = Object.fromEntries(simple);
  const has_own = own !== undefined && Object.keys(own).length > 0;
  const actions = pairs.filter(([key]) => key === 'at').map(([, value]) => parseTimedAction(value));
  const version = pairs.filter(([key]) => key === 'v').map(([, value]) => fieldOfLink(value))[0];
  const server = has_own ? { server: { based_on: fields.server, ...own } } : {};
  return { version, ...fields, ...server, design, parameters, actions };
}

function keyErrors(pairs: [string, string][], fields: readonly LinkFields[]): FieldError[] {
  const seen = new Set<string>();
  return pairs.flatMap(([key, value]) => {
    const is_known =
      [...TEXT_FIELDS, ...NUMBER_FIELDS, 'v', 'view', 'run', 'at'].includes(key) ||
      GROUPS.some((group) => key.startsWith(`${group}.`)) ||
      fields.some((field) => field.isField(key));
    if (!is_known) return [{ field: key, value, allowed: `only the fields ${keysInWords(fields)}` }];
    if (key !== 'at' && seen.has(key)) return [{ field: key, value, allowed: 'each field once' }];
    seen.add(key);
    if (key === 'run' && value !== '1') return [{ field: key, value, allowed: '1, or no such field' }];
    if (key === 'view' && !LINKED_VIEWS.some((view) => view === value))
      return [{ field: key, value, allowed: LINKED_VIEWS.join(', ') }];
    return [];
  });
}

function keysInWords(fields: readonly LinkFields[]): string {
  const namesOf = (is_beside_the_run: boolean) =>
    fields.flatMap((field) => (field.is_beside_the_run === is_beside_the_run ? field.names : []));
  const run = [
    'scenario',
    'platform',
    'server',
    'server.…',
    ...NUMBER_FIELDS,
    'design.…',
    'parameters.…',
    'at',
  ];
  return ['v', 'view', ...namesOf(true), 'run', ...run, ...namesOf(false)].join(', ');
}

function formatTimedAction(action: TimedAction): string {
  return 'action' in action
    ? `${action.at_s}:${action.action}`
    : `${action.at_s}:${action.knob}:${action.variant}`;
}

function parseTimedAction(text: string): Record<string, unknown> {
  const [at_s = '', first, second] = text.split(':');
  const what = second === undefined ? { action: first } : { knob: first, variant: second };
  return { at_s: fieldOfLink(at_s), ...what };
}

/** What stands behind an action, or behind the variant of a knob. */
function timedActionErrors(pairs: [string, string][], scenarios: readonly Scenario[]): FieldError[] {
  const scenario = new Map(pairs).get('scenario');
  const { actions = [] } = scenarios.find(({ manifest }) => manifest.id === scenario)?.manifest ?? {};
  return pairs.flatMap(([key, value]) => {
    if (key !== 'at') return [];
    const [, what, ...rest] = value.split(':');
    const pieces_max = actions.some(({ id }) => id === what) ? 0 : 1;
    return rest.length > pieces_max ? [{ field: key, value, allowed: TIMED_ACTION_IN_WORDS }] : [];
  });
}

// In a link the version is called v.
const asLinkError = (error: FieldError) => (error.field === 'version' ? { ...error, field: 'v' } : error);

const refuse = (errors: FieldError[]) => ({ ok: false as const, errors });
