// What the reports say, what real servers count and what the engine counts, side by side.
import { agrees } from './agreement.mjs';
import { MEASURABLES, type Measurable } from './experiments.mjs';
import { figuresOfEngineRun, type EngineRun } from './engine-run.mjs';
import { serverTitle, type MeasuredServer, type ServerExperiment } from './measured-server.mjs';

export type Range = readonly [least: number, most: number];

/**
 * The engine's counts in the steps of an experiment, under the design that stands for a server
 * (scenarios/census-results.json).
 */
interface CensusCounts {
  experiment: string;
  server: string;
  clients: number;
  counts: Record<string, number>;
}

/** The data of one bug that a page is built with (web/build/real-servers.ts). */
export interface RealServers {
  servers: readonly MeasuredServer[];
  /** The design that stands for a server. */
  variants: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Where counts differ, and why. */
  exceptions: readonly { experiment: string; figure: string; servers: readonly string[]; because: string }[];
  /** Reported figures that are of the same kind as a count. */
  reported: readonly { experiment: string; figure: string; reported: string }[];
  engine: readonly CensusCounts[];
  /** What was published of throughput with so many clients. */
  published: readonly Published[];
}

export interface Published {
  clients: number;
  value: number | Range;
  unit: string;
  /** The engine run to compare with. */
  run: string;
  source: string;
}

export interface CountRow {
  figure: string;
  /** Id of the reported figure that is of the same kind. */
  reported: string | null;
  server: Range;
  /** null where no design of the engine stands for the server. */
  census: Range | null;
  /** Of the run that the page shows; null where it does not tell. */
  here: number | null;
  /** Why both differ; null where they agree, or nobody knows. */
  because: string | null;
  differs: boolean;
}

export interface CountTable {
  measurable: Measurable;
  clients: readonly number[];
  rows: readonly CountRow[];
}

const rangeOf = (values: readonly number[]): Range => [Math.min(...values), Math.max(...values)];

const measurableOf = ({ experiment }: ServerExperiment) =>
  MEASURABLES.find((known) => known.experiment === experiment);

/** What was counted of a server, an experiment each. */
export function countTables(server: MeasuredServer, known: RealServers, run: EngineRun | null): CountTable[] {
  return inOrder(server.experiments).flatMap((measured) => {
    const measurable = measurableOf(measured);
    if (measurable === undefined || measurable.isCost === true) return [];
    const here = run === null ? {} : figuresOfEngineRun(measurable, run);
    const census = known.engine.filter(
      (one) => one.experiment === measured.experiment && one.server === server.name,
    );
    const rows = figuresOf(measured).map((figure) =>
      countRow(figure, { server, measured, measurable, census, known, here: here[figure] ?? null }),
    );
    return [{ measurable, clients: measured.runs.map(({ clients }) => clients), rows }];
  });
}

/** What shows the bug comes first. */
function inOrder(experiments: readonly ServerExperiment[]): ServerExperiment[] {
  const place = ({ experiment }: ServerExperiment) =>
    MEASURABLES.findIndex((known) => known.experiment === experiment);
  return experiments.toSorted((a, b) => place(a) - place(b));
}

const figuresOf = ({ runs }: ServerExperiment): string[] => [
  ...new Set(runs.flatMap(({ counts }) => Object.keys(counts))),
];

interface RowContext {
  server: MeasuredServer;
  measured: ServerExperiment;
  measurable: Measurable;
  census: readonly CensusCounts[];
  known: RealServers;
  here: number | null;
}

function countRow(figure: string, context: RowContext): CountRow {
  const { server, measured, measurable, census, known, here } = context;
  const { experiment } = measured;
  const counted = measured.runs.flatMap(({ counts }) => counts[figure] ?? []);
  // A latch that the engine does not have is taken 0 times, as in the census.
  const engine = census.map(({ counts }) => counts[figure] ?? 0);
  const differs = measured.runs.some(({ clients, counts }) => {
    const measured_count = counts[figure];
    const own = census.find((one) => one.clients === clients) ?? census[0];
    return (
      measured_count !== undefined &&
      own !== undefined &&
      !agrees({ measured: measured_count, engine: own.counts[figure] ?? 0, tolerance: measurable.tolerance })
    );
  });
  const isOfFigure = (one: { experiment: string; figure: string }) =>
    one.experiment === experiment && one.figure === figure;
  const exception = known.exceptions.find((one) => isOfFigure(one) && one.servers.includes(server.name));
  return {
    figure,
    reported: known.reported.find(isOfFigure)?.reported ?? null,
    server: rangeOf(counted),
    census: engine.length > 0 ? rangeOf(engine) : null,
    here,
    because: differs ? (exception?.because ?? null) : null,
    differs,
  };
}

/** CPU time per operation that was measured on the same machine and version. */
export function costRows(server: MeasuredServer, known: RealServers): { figure: string; cost: Range }[] {
  const isSame = (other: MeasuredServer) =>
    other.version === server.version && other.cpu_model === server.cpu_model && other.cores === server.cores;
  return [server, ...known.servers.filter((other) => other !== server && isSame(other))]
    .flatMap(({ experiments }) => experiments)
    .filter((measured) => measurableOf(measured)?.isCost === true)
    .flatMap((measured) =>
      figuresOf(measured).map((figure) => ({
        figure,
        cost: rangeOf(measured.runs.flatMap(({ counts }) => counts[figure] ?? [])),
      })),
    );
}

/**
 * The servers with counts, MySQL first, by version. A file with costs only is shown beside one with counts.
 */
export const serversWithCounts = ({ servers }: RealServers): MeasuredServer[] =>
  servers
    .filter(({ experiments }) => experiments.some((one) => measurableOf(one)?.isCost !== true))
    .sort(compareServers);

function compareServers(a: MeasuredServer, b: MeasuredServer): number {
  const isMaria = (server: MeasuredServer) => Number(server.name.startsWith('mariadb'));
  return isMaria(a) - isMaria(b) || a.version.localeCompare(b.version, 'en', { numeric: true });
}

/**
 * The latest MySQL that a design stands for; otherwise another server that it stands for; otherwise the first
 * of all.
 */
export function serverOfDesign(
  servers: readonly MeasuredServer[],
  { variants }: RealServers,
  design: Readonly<Record<string, string>>,
): MeasuredServer | null {
  const standsFor = ({ name }: MeasuredServer) => {
    const own = Object.entries(variants[name] ?? {});
    return own.length > 0 && own.every(([knob, variant]) => design[knob] === variant);
  };
  const stood_for = servers.filter(standsFor);
  const latest = stood_for.findLast(({ name }) => name.startsWith('mysql'));
  return latest ?? stood_for[0] ?? servers[0] ?? null;
}

/** MySQL 9.7.4 (2 cores, AMD EPYC) */
export const describeMachine = (server: MeasuredServer) =>
  `${serverTitle(server)} (${server.cores} ${server.cores === 1 ? 'core' : 'cores'}, ${server.cpu_model})`;
