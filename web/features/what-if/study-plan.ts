// Plans the runs of a what-if study from the reader's settings, as `latchscope what-if` does.
import type { Field, StudyKind, StudySettings } from '../../contract/draft';
import type { Fault } from '../../contract/fault';
import { latchesOf } from '../../contract/latches-of';
import { engine_limits } from '../../contract/engine-limits';
import type { Manifest, Scenario } from '../../contract/manifest';
import {
  INTERVAL_S,
  type Machine,
  type Parsed,
  type RunSpec,
  type TimedRunSpec,
} from '../../contract/run-spec';
import { oneOf } from '../../contract/schema-parts';
import type { BatchRun } from '../../contract/experiment-outcome';
import { checkDraft, draftOf } from '../../session/draft';
import { studiedRun } from '../../session/measured-run';
import { integerFaults, parseIntegers, refuse, seedFaults, seedsRange } from '../../session/series-settings';
import { costChoices, handOvers } from './what-if';

export const defaultStudy: StudySettings = {
  kind: 'profile',
  latch: null,
  site: null,
  hand_over: 'as_it_is',
  cost: null,
  scale: null,
  percent: null,
  top: null,
  seeds: null,
  from_s: null,
};

export const scaleDefault = [0, 25, 50, 75, 100, 125, 150, 200];
export const PERCENT_DEFAULT = 80;
export const TOP_DEFAULT = 8;
export const seedsDefault: Record<StudyKind, number> = { profile: 5, curve: 3 };
export const percents = { min: 0, max: engine_limits.what_if_percent_max };
export const topRange = { min: 1, max: engine_limits.what_if_top_max };
export const BASELINE = 'baseline';

export type WhatIf = NonNullable<RunSpec['what_if']>;
type LatchWhatIf = NonNullable<WhatIf['latches']>[number];

/** A run with a what-if, or the unchanged run, with one run per seed. */
export interface StudyPoint {
  name: string;
  /** null for the unchanged run. */
  whatIf: WhatIf | null;
}

export interface StudyRun extends BatchRun {
  /** Name of its point. */
  point: string;
}

export interface StudyPlan {
  kind: StudyKind;
  scenario: string;
  /** The unchanged run, with the first of the seeds. */
  spec: TimedRunSpec;
  seeds: number;
  fromS: number;
  /**
   * The points of a curve. A profile has only the unchanged run, whose result determines its
   * latches.
   */
  points: StudyPoint[];
  percent: number;
  top: number;
  /** Describes the subject of a curve. */
  subject: string;
}

interface StudyConditions {
  scenario: Scenario;
  scenarios: readonly Scenario[];
  machine: Machine;
}

/** Checks the settings and plans the points. */
export function planStudy(
  given: RunSpec,
  settings: StudySettings,
  conditions: StudyConditions,
): Parsed<StudyPlan> {
  const { manifest } = conditions.scenario;
  if (given.platform !== 'virtual') {
    return refuse('platform', given.platform, 'virtual: a what-if needs the virtual server');
  }
  const run = studiedRun(given, manifest, conditions.machine);
  const fromS = settings.from_s ?? run.fromS;
  const seeds = settings.seeds ?? seedsDefault[settings.kind];
  const percent = settings.percent ?? PERCENT_DEFAULT;
  const top = settings.top ?? TOP_DEFAULT;
  const ofCurve =
    settings.kind === 'curve' ? pointsOfCurve(settings, manifest) : { ok: true as const, value: [] };
  const errors = [
    ...integerFaults('study.seeds', seeds, seedsRange),
    ...seedFaults(given, seeds, 'seeds'),
    ...fromErrors(fromS, run.spec.duration_s),
    ...(settings.kind === 'profile' ? integerFaults('study.percent', percent, percents) : []),
    ...(settings.kind === 'profile' ? integerFaults('study.top', top, topRange) : []),
    ...(ofCurve.ok ? [] : ofCurve.errors),
  ];
  if (errors.length > 0 || !ofCurve.ok) return { ok: false, errors };
  const spec = { ...run.spec, ...(fromS !== 0 && { interval_s: fromS as number }) };
  const points = possiblePoints(spec, settings, ofCurve.value, conditions);
  if (!points.ok) return points;
  return {
    ok: true,
    value: {
      kind: settings.kind,
      scenario: manifest.id,
      spec,
      seeds: seeds as number,
      fromS: fromS as number,
      points: [{ name: BASELINE, whatIf: null }, ...points.value],
      percent: percent as number,
      top: top as number,
      subject: subjectOf(settings),
    },
  };
}

/** Returns one run per point and seed. */
export const runsOf = ({ spec, seeds }: StudyPlan, points: readonly StudyPoint[]): StudyRun[] =>
  points.flatMap(({ name, whatIf }) =>
    Array.from({ length: seeds }, (_, seed) => ({
      point: name,
      spec: { ...withWhatIf(spec, whatIf), seed: spec.seed + seed },
    })),
  );

/**
 * Returns the number of runs. For a profile this is the maximum, because a run may use fewer
 * latches.
 */
export const runsMax = ({ kind, seeds, points, top }: StudyPlan) =>
  seeds * (kind === 'profile' ? 1 + 2 * top : points.length);

/** Adds to the what-if that the spec has already. */
function withWhatIf<Spec extends RunSpec>(spec: Spec, whatIf: WhatIf | null): Spec {
  if (whatIf === null) return spec;
  const { costs, latches, ...moment } = spec.what_if ?? {};
  return {
    ...spec,
    what_if: {
      ...moment,
      ...((costs ?? whatIf.costs) && { costs: { ...costs, ...whatIf.costs } }),
      ...((latches ?? whatIf.latches) && { latches: [...(latches ?? []), ...(whatIf.latches ?? [])] }),
    },
  };
}

/** Returns the two what-ifs for each of the most expensive latches. */
export function pointsOfLatch(latch: string, { percent }: StudyPlan): [StudyPoint, StudyPoint] {
  return [
    { name: `${latch}, critical section`, whatIf: { latches: [{ latch, section_percent: percent }] } },
    { name: `${latch}, hand-off`, whatIf: { latches: [{ latch, hand_over: 'free' }] } },
  ];
}

const isLeftOut = (scale: string | null) => scale === null || scale.trim() === '';

/** If something is free and there is no scale, the critical section is unchanged. */
function pointsOfCurve(settings: StudySettings, manifest: Manifest): Parsed<StudyPoint[]> {
  const { latch, cost, hand_over, scale } = settings;
  const errors = subjectErrors(settings, manifest);
  if (errors.length > 0) return { ok: false, errors };
  if (cost === null && hand_over !== 'as_it_is' && isLeftOut(scale)) {
    return { ok: true, value: [{ name: 'what-if', whatIf: { latches: [latchOf(settings, null)] } }] };
  }
  const ofScale = isLeftOut(scale)
    ? { ok: true as const, value: scaleDefault }
    : parseIntegers(scale!, 'study.scale', percents, 'percent');
  if (!ofScale.ok) return ofScale;
  const points = ofScale.value.map((percent) => ({
    name: `${percent} %`,
    whatIf:
      cost === null
        ? { latches: [latchOf({ ...settings, latch }, percent)] }
        : { costs: { [cost]: percent } },
  }));
  return { ok: true, value: points };
}

function latchOf({ latch, site, hand_over }: StudySettings, percent: number | null): LatchWhatIf {
  return {
    latch: latch!,
    ...(site !== null && { site }),
    ...(percent !== null && { section_percent: percent }),
    ...handOvers[hand_over],
  };
}

/** With fewer transactions per client, throughput has steps that hide a gain of a few percent. */
const TRANSACTIONS_OF_A_CLIENT = 10;

/**
 * Returns the number of counted transactions per client, if it is too small to show small gains;
 * null otherwise.
 */
export function tooFewTransactions(plan: StudyPlan, tps: number | null): number | null {
  if (tps === null) return null;
  const ofClient = (tps * (plan.spec.duration_s - plan.fromS)) / plan.spec.threads;
  return ofClient < TRANSACTIONS_OF_A_CLIENT ? ofClient : null;
}

/** Returns the percentage of a point's critical section or cost; null if it has none. */
export function percentOf(whatIf: object | null | undefined): number | null {
  const { costs = {}, latches = [] } = (whatIf ?? {}) as WhatIf;
  return Object.values(costs)[0] ?? latches[0]?.section_percent ?? null;
}

/**
 * Omits impossible percentages of the default scale, but reports them as faults in the reader's own
 * scale.
 */
function possiblePoints(
  spec: RunSpec,
  { cost, scale }: StudySettings,
  points: StudyPoint[],
  { scenarios, machine }: StudyConditions,
): Parsed<StudyPoint[]> {
  const faultsOf = ({ whatIf }: StudyPoint) =>
    checkDraft(draftOf(withWhatIf(spec, whatIf)), scenarios, machine).draftErrors;
  const faults = points.map(faultsOf);
  if (cost !== null && isLeftOut(scale)) {
    const possible = points.filter((_, place) => faults[place]!.length === 0);
    return possible.length > 0 ? { ok: true, value: possible } : { ok: false, errors: faults[0]! };
  }
  const first = faults.find((ofPoint) => ofPoint.length > 0);
  return first === undefined ? { ok: true, value: points } : { ok: false, errors: first };
}

/** Returns faults of a curve's latch, site or cost. They do not depend on the platform. */
export function subjectErrors({ latch, site, cost, hand_over }: StudySettings, manifest: Manifest): Fault[] {
  if ((latch === null) === (cost === null)) {
    const value = latch === null ? 'nothing' : `${latch} and ${cost!}`;
    return refuse('study.latch', value, 'a latch or a server cost').errors;
  }
  if (cost !== null) {
    const known = costChoices.map(({ id }) => id);
    return known.includes(cost) ? [] : refuse('study.cost', cost, oneOf(known)).errors;
  }
  const sites = latchesOf(manifest);
  const latches = Object.keys(sites);
  if (!latches.includes(latch!)) return refuse('study.latch', latch, oneOf(latches)).errors;
  if (site === null) return [];
  if (hand_over !== 'as_it_is') {
    return refuse('study.site', site, 'no site with hand_over, which belongs to the latch').errors;
  }
  const known = sites[latch!]!;
  return known.includes(site) ? [] : refuse('study.site', site, oneOf([...known])).errors;
}

function subjectOf({ kind, latch, site, cost, hand_over }: StudySettings): string {
  if (kind === 'profile') return 'each expensive latch';
  if (cost !== null) return costChoices.find(({ id }) => id === cost)?.title ?? cost;
  const place = site === null ? latch! : `${latch!} in ${site}`;
  return hand_over === 'as_it_is' ? place : `${place}, hand-off changed`;
}

/** Counting starts where an interval ends. */
function fromErrors(fromS: Field, durationS: number): Fault[] {
  const most = Math.min(durationS, INTERVAL_S.max);
  const isGood = typeof fromS === 'number' && (fromS === 0 || (fromS >= INTERVAL_S.min && fromS < most));
  if (isGood) return [];
  const allowed = `0, or a number from ${INTERVAL_S.min} to below ${most}: before the end of the run`;
  return refuse('study.from_s', fromS, allowed).errors;
}
