// A run spec in the fragment of a URL, written so that a person can read and edit it:
//   #v=1&scenario=fil-mutex-69276&design.tablespace_lookup=atomic_word&threads=8&parameters.tables=8&at=2:one_table
//   #v=1&scenario=fil-mutex-69276&platform=virtual&server=xeon-2020&server.pause_ps=9000&threads=200
// and which view of it: none is the explorer. No fragment at all is the start page.
//   #v=1&view=sweep&scenario=fil-mutex-69276
// with what a comparison or a sweep has beside the run spec (experiment-link.ts),
// and at which step its lesson is open, and whether the page stands before an audience:
//   #v=1&scenario=undo-read-117533&lesson=2&presenter=1
// and that the run starts by itself; if nothing is said of the run, it is the scenario's first run:
//   #v=1&scenario=undo-read-117533&run=1
import type { FieldError } from '../contract/field-error';
import { all_platforms } from '../contract/platforms';
import { fieldOfLink } from './draft';
import { firstRunSpec } from './first-run';
import {
  default_settings,
  EXPERIMENT_FIELDS_IN_WORDS,
  experimentPairs,
  isExperimentField,
  isExperimentFieldOfAnyPlatform,
  misplacedFields,
  parseExperiments,
  type ExperimentSettings,
} from '../features/experiments/experiment-link';
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
const KEYS_IN_WORDS = `v, view, lesson, presenter, run, scenario, platform, server, server.…, threads, seed, duration_s, interval_s, events_max, design.…, parameters.…, at, ${EXPERIMENT_FIELDS_IN_WORDS}`;
/** What means the same on any platform. */
const FIELDS_OF_ANY_PLATFORM = ['v', 'view', 'lesson', 'presenter', 'run', 'scenario', 'seed'];
/** What does not say which run it is. */
const FIELDS_BESIDE_THE_RUN = ['v', 'view', 'lesson', 'presenter', 'run', 'scenario'];
const TIMED_ACTION_IN_WORDS = 'seconds:action, or seconds:knob:variant';
const CHARACTERS_MAX = 8192;

type Entry = [string, unknown];

/** What a link opens. */
export interface LinkTarget extends Guidance, ExperimentSettings {
  view: View;
  spec: RunSpec;
  /** It starts by itself: as the link says, or as the scenario's first run, of which it says nothing. */
  starts?: 'as_linked' | 'first_run';
}

/** Who leads through the page, beside its reader. */
export interface Guidance {
  /** Index of the step at which the lesson is open; a link counts from 1. */
  lesson_step: number | null;
  is_presenting: boolean;
}

/** What a link says of the page as it is shown. */
export const guidanceShown = ({
  lesson,
  presenter,
}: Pick<ExplorerState, 'lesson' | 'presenter'>): Guidance => ({
  lesson_step: lesson?.step ?? null,
  is_presenting: presenter.is_on,
});

const no_guidance: Guidance = { lesson_step: null, is_presenting: false };

export function formatLink(
  spec: RunSpec,
  view: View = 'explorer',
  { lesson_step, is_presenting } = no_guidance,
  experiments = default_settings,
): string {
  const pairs: [string, string][] = [
    ['v', String(spec.version)],
    ...(view === 'compare' || view === 'sweep' ? [['view', view] satisfies [string, string]] : []),
    ['scenario', spec.scenario],
    ...optionalPair('lesson', lesson_step === null ? null : lesson_step + 1),
    ...optionalPair('presenter', is_presenting ? 1 : null),
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
    ...experimentPairs(view, experiments),
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
): Parsed<LinkTarget> | null {
  const text = fragment.replace(/^#/, '');
  if (text === '') return null;
  if (text.length > CHARACTERS_MAX) {
    return refuse([
      { field: 'link', value: `${text.length} characters`, allowed: `up to ${CHARACTERS_MAX}` },
    ]);
  }
  const pairs = [...new URLSearchParams(text)];
  const errors = [...keyErrors(pairs), ...timedActionErrors(pairs, scenarios)];
  if (errors.length > 0) return refuse(errors);
  const runnable = runnableHere(pairs, machine);
  const parsed = parseRunSpec(runSpecOf(runnable), scenarios, machine);
  if (!parsed.ok) return refuse(parsed.errors.map(asLinkError));
  const guidance = guidanceOf(new Map(pairs), scenarios);
  if (!guidance.ok) return guidance;
  const named = new Map(pairs).get('view');
  const view = LINKED_VIEWS.find((known) => known === (named ?? 'explorer'))!;
  const misplaced = [...misplacedFields(view, pairs), ...misplacedStart(view, pairs)];
  if (misplaced.length > 0) return refuse(misplaced);
  const { manifest } = scenarios.find((known) => known.manifest.id === parsed.value.scenario)!;
  const experiments = parseExperiments(view, runnable, parsed.value, { manifest, machine });
  if (!experiments.ok) return experiments;
  const starts = whatStarts(pairs);
  const spec = starts === 'first_run' ? firstRunSpec(manifest, machine) : parsed.value;
  return {
    ok: true,
    value: { view, spec, ...(starts && { starts }), ...guidance.value, ...experiments.value },
  };
}

function misplacedStart(view: View, pairs: [string, string][]): FieldError[] {
  const starts = view !== 'explorer' && pairs.some(([key]) => key === 'run');
  return starts ? [{ field: 'run', value: '1', allowed: `no such field with view=${view}` }] : [];
}

function whatStarts(pairs: [string, string][]): LinkTarget['starts'] | null {
  if (!pairs.some(([key]) => key === 'run')) return null;
  return pairs.every(([key]) => FIELDS_BESIDE_THE_RUN.includes(key)) ? 'first_run' : 'as_linked';
}

/** The link that shows a scenario's bug at once, on any machine. */
export const firstRunLink = (scenario: string) => `#v=1&scenario=${scenario}&run=1`;

function guidanceOf(fields: Map<string, string>, scenarios: readonly Scenario[]): Parsed<Guidance> {
  const { lesson = null } = scenarios.find(({ manifest }) => manifest.id === fields.get('scenario')) ?? {};
  const steps = (lesson?.steps ?? []).map((_, index) => String(index + 1));
  const step = fields.get('lesson');
  if (step !== undefined && !steps.includes(step)) {
    const allowed = steps.length === 0 ? 'nothing: this bug has no lesson' : `1 to ${steps.length}`;
    return refuse([{ field: 'lesson', value: step, allowed }]);
  }
  const presenter = fields.get('presenter');
  if (presenter !== undefined && presenter !== '1') {
    return refuse([{ field: 'presenter', value: presenter, allowed: '1, or no such field' }]);
  }
  const lesson_step = step === undefined ? null : Number(step) - 1;
  return { ok: true, value: { lesson_step, is_presenting: presenter !== undefined } };
}

/** A link from a page that could do more opens on a platform that this one has, with the defaults of that platform. */
function runnableHere(pairs: [string, string][], { platforms }: Machine): [string, string][] {
  const platform = all_platforms.find((known) => known === new Map(pairs).get('platform'));
  if (platform === undefined || platforms.length === 0 || platforms.includes(platform)) return pairs;
  return pairs.filter(
    ([key]) =>
      FIELDS_OF_ANY_PLATFORM.includes(key) ||
      key.startsWith('design.') ||
      isExperimentFieldOfAnyPlatform(key),
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

function keyErrors(pairs: [string, string][]): FieldError[] {
  const seen = new Set<string>();
  return pairs.flatMap(([key, value]) => {
    const is_known =
      [...TEXT_FIELDS, ...NUMBER_FIELDS, 'v', 'view', 'lesson', 'presenter', 'run', 'at'].includes(key) ||
      GROUPS.some((group) => key.startsWith(`${group}.`)) ||
      isExperimentField(key);
    if (!is_known) return [{ field: key, value, allowed: `only the fields ${KEYS_IN_WORDS}` }];
    if (key !== 'at' && seen.has(key)) return [{ field: key, value, allowed: 'each field once' }];
    seen.add(key);
    if (key === 'run' && value !== '1') return [{ field: key, value, allowed: '1, or no such field' }];
    if (key === 'view' && !LINKED_VIEWS.some((view) => view === value))
      return [{ field: key, value, allowed: LINKED_VIEWS.join(', ') }];
    return [];
  });
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
