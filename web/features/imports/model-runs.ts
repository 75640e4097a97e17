// Plans and reads runs of a bug on servers like the reader's: as reported, with one latch that costs
// nothing, and with the fixed design. Loaded with the first ones, with the processor families.
import { families } from 'virtual:scenario-texts/processor-families';
import { extent } from 'd3-array';

import type { BatchRun, FinishedRun } from '../../contract/experiment-outcome';
import type { Fault } from '../../contract/fault';
import type { ImportReport } from '../../contract/import-report';
import type { Manifest, Scenario } from '../../contract/manifest';
import type { RunResult } from '../../contract/run-result';
import { defaultRunSpec, type Machine, type Parsed, type TimedRunSpec } from '../../contract/run-spec';
import type { Family } from '../../contract/scenario-files/plausible-servers';
import type { OutcomeFrom, WhatIfOutcome } from '../../contract/what-if-report';
import { faultOfRun, type BatchPlan } from '../../session/batch';
import { checkDraft, draftOf, fieldOf } from '../../session/draft';
import { studiedRun } from '../../session/measured-run';
import {
  costsOfFamily,
  distinctFamilies,
  processorTitle,
  serverDraft,
  type PlaceInRanges,
} from '../../session/plausible-servers';
import type { ModelRequest, ModeledLatch } from './modeled-latches';

export const offeredFamilies = distinctFamilies(families as readonly Family[]);

/** A server that the reader's may be like. */
interface LikelyServer {
  title: string;
  /** Costs by field of the server, in picoseconds as in a run spec. */
  costs: Readonly<Record<string, number>>;
}

/** How a run differs from the report's. */
type Change = 'none' | 'latch_is_free' | 'fixed_design';

export interface ModelRun extends BatchRun {
  server: string;
  change: Change;
}

/** Where the clients of a run spend their time. All shares but those of latches count the whole run. */
export interface ModelKept {
  tps: number;
  /** Parts of the clients' time, by what they spend it on. */
  timeShares: ReadonlyMap<Limit, number>;
  /** Parts of the time that threads queue, by latch. */
  queueShares: ReadonlyMap<string, number>;
}

type FinishedModelRun = FinishedRun<ModelRun, ModelKept>;

export interface ModelPlan {
  modeled: ModeledLatch;
  clients: number;
  /** The known processor. */
  processor: string | null;
  servers: readonly LikelyServer[];
  batch: BatchPlan<ModelRun, ModelKept>;
}

/** The name of a latch, or one of `otherLimits`. */
export type Limit = string;

const otherLimits = {
  cpus: 'the processors',
  device: 'the storage device',
  group: 'the leader of the commit group',
  sleep: 'sleeps of the server’s own',
};

const placesInWords: Record<PlaceInRanges, string> = {
  low: 'Lowest costs',
  middle: 'Medium costs',
  high: 'Highest costs',
};

/** Of an unknown processor, each family counts once. */
function likelyServers(known: Family | undefined, basedOn: string): LikelyServer[] {
  if (known === undefined)
    return offeredFamilies.map((one) => ({
      title: processorTitle(one.title),
      costs: costsOfFamily(one, basedOn),
    }));
  return (['low', 'middle', 'high'] as const).map((place) => ({
    title: placesInWords[place],
    costs: costsOfFamily(known, basedOn, place),
  }));
}

interface PlanConditions {
  scenarios: readonly Scenario[];
  machine: Machine;
}

/** Faults name the fields of a run spec. */
export function planModel(
  { modeled, family, shape, clients }: ModelRequest,
  { scenarios, machine }: PlanConditions,
): Parsed<ModelPlan> {
  const { manifest } = scenarios.find((scenario) => scenario.manifest.id === modeled.scenario)!;
  const usual = draftOf(defaultRunSpec(manifest, machine, 'virtual'));
  const known = offeredFamilies.find(({ id }) => id === family);
  const servers = likelyServers(known, manifest.virtual_server);
  const runs: ModelRun[] = [];
  let from: OutcomeFrom = 'beginning';
  for (const { title, costs } of servers) {
    const server = serverDraft(manifest.virtual_server, { ...costs, ...numbersOf(shape) });
    const draft = { ...usual, threads: fieldOf(clients), server };
    const { draftSpec, draftErrors } = checkDraft(draft, scenarios, machine);
    if (draftSpec === null) return { ok: false, errors: draftErrors };
    const { spec, fromS } = studiedRun(draftSpec, manifest, machine);
    if (fromS > 0) from = 'first_interval';
    const counted = fromS > 0 ? { ...spec, interval_s: fromS } : spec;
    for (const [change, changed] of changesOf(counted, modeled, manifest))
      runs.push({ server: title, change, spec: changed });
  }
  const batch: ModelPlan['batch'] = {
    runs,
    judge: ({ spec }, report) => {
      const reason = faultOfRun(spec, report);
      if (reason !== null) return { ok: false, reason };
      return { ok: true, ...keptOf(report.result, report.outcome!, spec.threads) };
    },
    kindOf: ({ change }) => change,
    outcomeFrom: from,
  };
  const processor = known === undefined ? null : processorTitle(known.title);
  return { ok: true, value: { modeled, clients: Number(clients), processor, servers, batch } };
}

const numbersOf = (texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, fieldOf(text)]));

function changesOf(
  spec: TimedRunSpec,
  { latch }: ModeledLatch,
  { designs }: Manifest,
): [Change, TimedRunSpec][] {
  const free = { latch, section_percent: 0, hand_over: 'free' as const };
  return [
    ['none', spec],
    ['latch_is_free', { ...spec, what_if: { latches: [free] } }],
    ['fixed_design', { ...spec, design: { ...designs.original, ...designs.fixed } }],
  ];
}

function keptOf({ latches, cpu }: RunResult, outcome: WhatIfOutcome, clients: number): ModelKept {
  const clientsNs = outcome.seconds * clients * 1e9;
  const ofLatches = Object.entries(outcome.cost_ns).map(([latch, ns]) => [latch, ns / clientsNs] as const);
  const queues = new Map<string, number>();
  for (const { latch, queue_ns: ns = 0 } of latches) queues.set(latch, (queues.get(latch) ?? 0) + ns);
  const queued = [...queues.values()].reduce((sum, ns) => sum + ns, 0);
  return {
    tps: outcome.tps,
    timeShares: new Map<Limit, number>([
      ...ofLatches,
      [otherLimits.cpus, cpu.running + (cpu.ready ?? 0)],
      [otherLimits.device, cpu.io],
      [otherLimits.group, cpu.following ?? 0],
      [otherLimits.sleep, cpu.sleeping],
    ]),
    queueShares: new Map([...queues].map(([latch, ns]) => [latch, queued === 0 ? 0 : ns / queued])),
  };
}

export type Range = readonly [low: number, high: number];

/** The results of all servers. */
export interface ModelOutcome {
  modeled: ModeledLatch;
  clients: number;
  processor: string | null;
  /** Servers without a result yet have no figures. */
  servers: {
    title: string;
    tps: number | null;
    /** Throughput as a multiple of the unchanged run. */
    freeRatio: number | null;
    fixedRatio: number | null;
    /** What clients then spend most of their time on. */
    next: Limit | null;
    failed: string | null;
  }[];
  /** Over the servers; null without one. */
  freeRatio: Range | null;
  fixedRatio: Range | null;
  /** Next limits with their numbers of servers, the most frequent first. */
  next: readonly (readonly [limit: Limit, servers: number])[];
  /** The model's part of the waiting, by latch of the engine. */
  queueShares: ReadonlyMap<string, Range>;
}

export function modelOutcome(plan: ModelPlan, finished: readonly FinishedModelRun[]): ModelOutcome {
  const { modeled, clients, processor } = plan;
  const servers = plan.servers.map(({ title }) => {
    const runs = finished.filter(({ server }) => server === title);
    const keptWith = (change: Change) => {
      const outcome = runs.find((run) => run.change === change)?.outcome;
      return outcome?.ok === true ? outcome : null;
    };
    const base = keptWith('none');
    const free = keptWith('latch_is_free');
    const fixed = keptWith('fixed_design');
    const ratioOf = (changed: ModelKept | null) =>
      base === null || changed === null || base.tps === 0 ? null : changed.tps / base.tps;
    const failures = runs.flatMap(({ outcome }) => (outcome.ok ? [] : outcome.reason));
    const figures: ModelOutcome['servers'][number] = {
      ...{ title, tps: base?.tps ?? null, freeRatio: ratioOf(free), fixedRatio: ratioOf(fixed) },
      ...{ next: free === null ? null : largestOf(free.timeShares), failed: failures[0] ?? null },
    };
    return { figures, queueShares: base?.queueShares ?? null };
  });
  const shares = servers.flatMap(({ queueShares }) => queueShares ?? []);
  const latches = new Set(shares.flatMap((byLatch) => [...byLatch.keys()]));
  return {
    ...{ modeled, clients, processor },
    servers: servers.map(({ figures }) => figures),
    freeRatio: rangeOf(servers.map(({ figures }) => figures.freeRatio)),
    fixedRatio: rangeOf(servers.map(({ figures }) => figures.fixedRatio)),
    next: counted(servers.flatMap(({ figures }) => figures.next ?? [])),
    queueShares: new Map(
      [...latches].map((latch) => [latch, rangeOf(shares.map((byLatch) => byLatch.get(latch) ?? 0))!]),
    ),
  };
}

function rangeOf(values: readonly (number | null)[]): Range | null {
  const [low, high] = extent(values.flatMap((value) => value ?? []));
  return low === undefined ? null : [low, high];
}

const largestOf = (shares: ReadonlyMap<Limit, number>): Limit | null =>
  [...shares].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? null;

function counted(limits: readonly Limit[]): [Limit, number][] {
  const counts = new Map<Limit, number>();
  for (const limit of limits) counts.set(limit, (counts.get(limit) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a);
}

/** One latch in the reader's waits and in the model's. */
export interface SharedLatch {
  name: string;
  /** The engine's name. */
  latch: string;
  ofReader: number;
  ofModel: Range;
}

/** Returns the latches that both have, by the reader's share, and how much of the waiting they are. */
export function sharedLatches(
  { latches }: ImportReport,
  { modeled: { scenario }, queueShares }: ModelOutcome,
): { shared: SharedLatch[]; ofReader: number } {
  const byLatch = new Map<string, SharedLatch>();
  for (const { matched, share } of latches) {
    const latch = matched?.bugs.find((bug) => bug.scenario === scenario)?.latch;
    const ofModel = latch === undefined ? undefined : queueShares.get(latch);
    if (latch === undefined || ofModel === undefined) continue;
    const before = byLatch.get(latch);
    byLatch.set(latch, { name: matched!.name, latch, ofReader: (before?.ofReader ?? 0) + share, ofModel });
  }
  const shared = [...byLatch.values()].toSorted((a, b) => b.ofReader - a.ofReader);
  return { shared, ofReader: shared.reduce((sum, { ofReader }) => sum + ofReader, 0) };
}

/** Fields of the panel, with the names that faults give them. */
export const isOfPanel = ({ field }: Fault) => field === 'threads' || field.startsWith('server.');
