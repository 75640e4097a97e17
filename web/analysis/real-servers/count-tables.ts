// Compares the reports' figures, counts of real servers and counts of the engine.
import { counted } from '../format';
import {
  agrees,
  serverTitle,
  type MeasuredServer,
  type ServerExperiment,
} from '../../contract/real-servers/measured-server.mjs';
import { MEASURABLES, type Measurable } from '../../contract/real-servers/experiments.mjs';
import { figuresOfEngineRun, type EngineRun } from '../../contract/real-servers/engine-run.mjs';

export type Range = readonly [least: number, most: number];

/**
 * Counts of the engine in an experiment, under the design that corresponds to a server
 * (scenarios/census-results.json).
 */
interface CensusCounts {
  experiment: string;
  server: string;
  clients: number;
  counts: Record<string, number>;
}

/** Data of one bug, included in the page by web/build/real-servers.ts. */
export interface RealServers {
  servers: readonly MeasuredServer[];
  /** Design that corresponds to each server. */
  variants: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Known differences between counts, and their causes. */
  exceptions: readonly { experiment: string; figure: string; servers: readonly string[]; because: string }[];
  /** Reported figures that correspond to a count. */
  reported: readonly { experiment: string; figure: string; reported: string }[];
  engine: readonly CensusCounts[];
  /** Published throughput for numbers of clients. */
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
  /** Id of the corresponding reported figure. */
  reported: string | null;
  server: Range;
  /** null if no design of the engine corresponds to the server. */
  census: Range | null;
  /** Count of the run that the page shows; null if the run does not measure it. */
  here: number | null;
  /** Cause of the difference; null if the counts agree, or if the cause is unknown. */
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

/** Returns the counts of a server, one table per experiment. */
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

/** Sorts the experiments that show the bug first. */
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
  // A latch that the engine does not have counts 0, as in the census.
  const engine = census.map(({ counts }) => counts[figure] ?? 0);
  const differs = measured.runs.some(({ clients, counts }) => {
    const measuredCount = counts[figure];
    const own = census.find((one) => one.clients === clients) ?? census[0];
    return (
      measuredCount !== undefined &&
      own !== undefined &&
      !agrees({ measured: measuredCount, engine: own.counts[figure] ?? 0, tolerance: measurable.tolerance })
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

/** Returns CPU time per operation, measured on the same machine and version. */
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
 * Returns servers with counts, MySQL first, by version. A file with costs only is shown with a
 * server that has counts.
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
 * Returns the latest MySQL that corresponds to a design, otherwise another such server, otherwise
 * the first of all.
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
  const stoodFor = servers.filter(standsFor);
  const latest = stoodFor.findLast(({ name }) => name.startsWith('mysql'));
  return latest ?? stoodFor[0] ?? servers[0] ?? null;
}

/** MySQL 9.7.4 (2 cores, AMD EPYC) */
export const describeMachine = (server: MeasuredServer) =>
  `${serverTitle(server)} (${counted(server.cores, 'core')}, ${server.cpu_model})`;
