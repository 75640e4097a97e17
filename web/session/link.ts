// Formats and parses links: a run spec in the fragment of a URL, readable and editable by people.
//    #v=1&scenario=fil-mutex-69276&design.tablespace_lookup=atomic_word&at=2:one_table
//    #v=1&scenario=fil-mutex-69276&platform=virtual&server=xeon-2020&server.pause_ps=9000
// Values of a server without its name change the server of the bug. A link that names a server or
// one of its values, but no platform, is for the virtual server:
//    #v=1&scenario=fil-mutex-69276&server.sockets=4
//    #v=1&scenario=fil-mutex-69276&parameters.tables=8&threads=200
// A link may name a view (default: the explorer). An empty fragment means the start page.
//    #v=1&view=sweep&scenario=fil-mutex-69276
// It may have fields of features (feature.ts), such as the open step of a lesson:
//    #v=1&scenario=undo-read-117533&lesson=2&presenter=1
// It may start the run. Without a run spec, it starts the scenario's first run:
//    #v=1&scenario=undo-read-117533&run=1
// Fields of the latch lab, which belongs to no bug, are a link by themselves:
//    #lab.exercise=05-ticket
// So is a latch of the catalogue:
//    #waits.latch=trx-sys
// Interactive changes appear as timed actions, so the link repeats the run; on the virtual server
// it repeats every event.
import type { Fault } from '../contract/fault';
import { all_platforms } from '../contract/platforms';
import {
  inputOfPairs,
  isPairKey,
  isRepeatable,
  isTooLongForLink,
  isWithoutSource,
  numberIfHeld,
  pair_keys_in_words,
  pairErrors,
  pairsOfRunSpec,
  sourcesInPairs,
  type CompiledSources,
} from '../contract/run-spec-pairs';
import { firstRunSpec } from './first-run';
import { isNextRunTheSame, baselineRun } from './baseline-run';
import type { LinkFields, LinkPair } from './feature';
import type { Manifest, Scenario } from '../contract/manifest';
import { scenarioOfSpec } from '../contract/workload-manifest';
import {
  parseRunSpec,
  RUN_SPEC_VERSION,
  type Machine,
  type Parsed,
  type RunSpec,
} from '../contract/run-spec';
import { isOfBug, type ExplorerState, type View } from './store';

/** The views that a link can name. The start page has no fragment. */
const linkedViews = [
  'explorer',
  'stage',
  'compare',
  'sweep',
  'what_if',
  'lab',
  'waits',
  'workload',
] as const satisfies View[];
/** Fields that mean the same on each platform. */
const fieldsOfAnyPlatform = ['v', 'view', 'run', 'scenario', 'seed', 'latch', 'workload'];
/** Fields that do not describe the run. */
const fieldsBesideTheRun = ['v', 'view', 'run', 'scenario'];
/** Enough for as many timed actions as a run spec may have. */
const CHARACTERS_MAX = 32_768;

/** What a link opens. */
export interface LinkTarget {
  view: View;
  spec: RunSpec;
  /** Set if opening the link starts a run: the linked one, or the scenario's first run. */
  starts?: 'as_linked' | 'first_run';
  /** The fields of features, by name. */
  ofFeatures: object;
}

/**
 * `ofFeatures` has the pairs of features (LinkFields.format), grouped by whether they describe the
 * run.
 */
export function formatLink(
  spec: RunSpec,
  view: View = 'explorer',
  { besideTheRun, others } = noPairs,
): string {
  const pairs: LinkPair[] = [
    ['v', String(spec.version)],
    ...(view === 'front' || view === 'explorer' ? [] : [['view', view] satisfies LinkPair]),
    ['scenario', spec.scenario],
    ...besideTheRun,
    ...pairsOfRunSpec(spec),
    ...others,
  ];
  return `#${pairs.map(([key, value]) => `${key}=${value}`).join('&')}`;
}

interface FeaturePairs {
  besideTheRun: readonly LinkPair[];
  others: readonly LinkPair[];
}

const noPairs: FeaturePairs = { besideTheRun: [], others: [] };

/** Returns the link to the view and the next run; null while a field of the next run is invalid. */
export function linkShown(state: ExplorerState, fields: readonly LinkFields[]): string | null {
  const { draftSpec, view } = state;
  return draftSpec && formatLink(draftSpec, view, featurePairs(state, fields));
}

/**
 * Returns the link that a reader shares. It starts the shown run, with all interactive changes.
 * Without a shown run, or if the reader has edited the next run since, it links to the next run.
 */
export function linkToPassOn(state: ExplorerState, fields: readonly LinkFields[]): SharedLink | null {
  const went = state.view === 'explorer' && isNextRunTheSame(state) ? baselineRun(state) : null;
  if (went === null) {
    const link = linkShown(state, fields);
    if (link === null) return null;
    const sources = fields.map(({ sourceOf }) => sourceOf?.(state) ?? '');
    const isWithout = isWithoutSource(state.draftSpec!) || sources.some(isTooLongForLink);
    return { link, isOfRun: false, isWithoutSource: isWithout };
  }
  const { besideTheRun, others } = featurePairs(state, fields);
  const starts: FeaturePairs = { besideTheRun: [...besideTheRun, ['run', '1']], others };
  const link = formatLink(went, state.view, starts);
  return { link, isOfRun: true, isWithoutSource: isWithoutSource(went) };
}

export interface SharedLink {
  link: string;
  isOfRun: boolean;
  /** Whether it leaves out a source that is too long for a link. */
  isWithoutSource: boolean;
}

function featurePairs(state: ExplorerState, fields: readonly LinkFields[]): FeaturePairs {
  const pairsOf = (isBesideTheRun: boolean) =>
    fields.filter((field) => field.isBesideTheRun === isBesideTheRun).flatMap((field) => field.format(state));
  return { besideTheRun: pairsOf(true), others: pairsOf(false) };
}

/**
 * Parses a fragment, with or without its #; null if it is empty. `fields` are the features' fields.
 * `compiled` has the programs of the link's sources.
 */
export function parseLink(
  fragment: string,
  scenarios: readonly Scenario[],
  machine: Machine,
  fields: readonly LinkFields[] = [],
  compiled: CompiledSources = {},
): Parsed<LinkTarget> | null {
  const text = fragment.replace(/^#/, '');
  if (text === '') return null;
  if (text.length > CHARACTERS_MAX) {
    return refuse([
      { field: 'link', value: `${text.length} characters`, allowed: `up to ${CHARACTERS_MAX}` },
    ]);
  }
  const pairs = withPlatform(withOmitted(pairsOfLink(text), scenarios, fields));
  const linked = scenarios.find(({ manifest }) => manifest.id === new Map(pairs).get('scenario'));
  const errors = [...keyErrors(pairs, fields), ...pairErrors(pairs, linked?.manifest)];
  if (errors.length > 0) return refuse(errors);
  const runnable = runnableHere(pairs, machine, fields);
  const parsed = parseRunSpec(runSpecOf(runnable, linked?.manifest, compiled), scenarios, machine);
  if (!parsed.ok) return refuse(parsed.errors.map(asLinkError));
  const named = new Map(pairs).get('view');
  const view = linkedViews.find((known) => known === (named ?? 'explorer'))!;
  const misplaced = [
    ...fields.flatMap((field) => field.misplaced?.(view, pairs) ?? []),
    ...misplacedStart(view, pairs),
  ];
  if (misplaced.length > 0) return refuse(misplaced);
  const scenario = scenarioOfSpec(parsed.value, scenarios)!;
  const link = { view, pairs, runnable, spec: parsed.value, scenario, machine };
  const ofFeatures = {};
  for (const field of fields) {
    const said = field.parse(link);
    if (!said.ok) return said;
    Object.assign(ofFeatures, said.value);
  }
  const starts = whatStarts(pairs, fields);
  const spec = starts === 'first_run' ? firstRunSpec(scenario.manifest, machine) : parsed.value;
  return { ok: true, value: { view, spec, ...(starts && { starts }), ofFeatures } };
}

/** Adds what a link to a view without a bug may omit. */
function withOmitted(
  pairs: [string, string][],
  [first]: readonly Scenario[],
  fields: readonly LinkFields[],
): [string, string][] {
  const named = linkedViews.find((known) => pairs.some(([key, value]) => key === 'view' && value === known));
  const ofField = fields.find((field) => field.view && pairs.some(([key]) => field.isField(key)))?.view;
  const view = named !== undefined && !isOfBug(named) ? named : ofField;
  if (view === undefined) return pairs;
  const given = new Set(pairs.map(([key]) => key));
  const omissible: [string, string][] = [
    ['v', String(RUN_SPEC_VERSION)],
    ['view', view],
    ['scenario', first!.manifest.id],
  ];
  return [...omissible.filter(([key]) => !given.has(key)), ...pairs];
}

/** Adds the platform that a server belongs to. */
function withPlatform(pairs: [string, string][]): [string, string][] {
  const hasServer = pairs.some(([key]) => key === 'server' || key.startsWith('server.'));
  const hasPlatform = pairs.some(([key]) => key === 'platform');
  return hasServer && !hasPlatform ? [...pairs, ['platform', 'virtual']] : pairs;
}

function misplacedStart(view: View, pairs: [string, string][]): Fault[] {
  const starts = view !== 'explorer' && pairs.some(([key]) => key === 'run');
  return starts ? [{ field: 'run', value: '1', allowed: `no such field with view=${view}` }] : [];
}

function whatStarts(pairs: [string, string][], fields: readonly LinkFields[]): LinkTarget['starts'] | null {
  if (!pairs.some(([key]) => key === 'run')) return null;
  const isBesideTheRun = (key: string) =>
    fieldsBesideTheRun.includes(key) || fields.some((field) => field.isBesideTheRun && field.isField(key));
  return pairs.every(([key]) => isBesideTheRun(key)) ? 'first_run' : 'as_linked';
}

/** Returns a link to the stage of a bug, which plays it from its beginning. */
export const stageLink = (scenario: string) => `#v=1&view=stage&scenario=${scenario}`;

/** Returns a link to an exercise of the latch lab. */
export const exerciseLink = (exercise: string) => `#v=1&view=lab&lab.exercise=${exercise}`;

/** A link to the view that reads a server's waits. */
export const WAITS_LINK = '#v=1&view=waits';

/** A link to the editor of workload files. */
export const WORKLOAD_LINK = '#v=1&view=workload';

/** Returns a link to the workload file of a public report. */
export const reportLink = (report: string) => `${WORKLOAD_LINK}&workload.template=${report}`;

/** Names a latch of the catalogue in a link to its card. */
export const LATCH_FIELD = 'waits.latch';

/** Returns a link to what the catalogue knows of a latch. */
export const latchLink = (id: string) => `${WAITS_LINK}&${LATCH_FIELD}=${id}`;

/** Returns a link that shows a scenario's bug at once, on any machine. */
export const firstRunLink = (scenario: string) => `#v=1&scenario=${scenario}&run=1`;

/** Replaces a platform that this page lacks with an available one and its defaults. */
function runnableHere(
  pairs: [string, string][],
  { platforms }: Machine,
  fields: readonly LinkFields[],
): [string, string][] {
  const platform = all_platforms.find((known) => known === new Map(pairs).get('platform'));
  if (platform === undefined || platforms.length === 0 || platforms.includes(platform)) return pairs;
  return pairs.filter(
    ([key]) =>
      fieldsOfAnyPlatform.includes(key) ||
      key.startsWith('design.') ||
      fields.some((field) => field.isOfAnyPlatform(key)),
  );
}

// A link calls the version v.
const runSpecOf = (pairs: [string, string][], manifest: Manifest | undefined, compiled: CompiledSources) => ({
  version: pairs.filter(([key]) => key === 'v').map(([, value]) => numberIfHeld(value))[0],
  ...inputOfPairs(pairs, compiled, manifest?.virtual_server),
});

const pairsOfLink = (fragment: string) => [...new URLSearchParams(fragment.replace(/^#/, ''))];

/** Returns the sources in a link, to compile before parsing the link. */
export const sourcesInLink = (fragment: string) => sourcesInPairs(pairsOfLink(fragment));

function keyErrors(pairs: [string, string][], fields: readonly LinkFields[]): Fault[] {
  const seen = new Set<string>();
  return pairs.flatMap(([key, value]) => {
    const isKnown =
      ['v', 'view', 'run'].includes(key) || isPairKey(key) || fields.some((field) => field.isField(key));
    if (!isKnown) return [{ field: key, value, allowed: `only ${keysInWords(fields)}` }];
    if (!isRepeatable(key) && seen.has(key)) return [{ field: key, value, allowed: 'each field once' }];
    seen.add(key);
    if (key === 'run' && value !== '1') return [{ field: key, value, allowed: '1, or no such field' }];
    if (key === 'view' && !linkedViews.some((view) => view === value))
      return [{ field: key, value, allowed: linkedViews.join(', ') }];
    return [];
  });
}

function keysInWords(fields: readonly LinkFields[]): string {
  const namesOf = (isBesideTheRun: boolean) =>
    fields.flatMap((field) => (field.isBesideTheRun === isBesideTheRun ? field.names : []));
  return ['v', 'view', ...namesOf(true), 'run', ...pair_keys_in_words, ...namesOf(false)].join(', ');
}

const asLinkError = (error: Fault) => (error.field === 'version' ? { ...error, field: 'v' } : error);

const refuse = (errors: Fault[]) => ({ ok: false as const, errors });
