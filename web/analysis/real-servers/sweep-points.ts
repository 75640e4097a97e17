// Compares a real server and the engine over the same numbers of clients.
import type { EngineRun } from '../../contract/real-servers/engine-run.mjs';
import { figuresOfEngineRun } from '../../contract/real-servers/engine-run.mjs';
import { measurableNamed } from '../../contract/real-servers/experiments.mjs';
import type { MeasuredServer } from '../../contract/real-servers/measured-server.mjs';

/** A figure that is plotted against the number of clients. */
export interface SweepFigure {
  experiment: string;
  /** A count per operation; null: throughput. */
  figure: string | null;
  title: string;
  /** Unit of throughput. */
  unit: string;
}

export interface SweptPoint {
  clients: number;
  value: number;
}

/**
 * Returns throughput first, then counts: those that the engine's runs also provide, or all while
 * there are no runs.
 */
export function sweepFigures({ experiments }: MeasuredServer, runs: readonly SweptRun[]): SweepFigure[] {
  const isTold = (figure: SweepFigure) => runs.length === 0 || enginePoints(runs, figure).length > 0;
  return experiments.flatMap(({ experiment, runs: measured }) => {
    const measurable = measurableNamed(experiment);
    if (measurable?.figuresOfRun === undefined) return [];
    const unit = measurable.throughput?.unit;
    const throughput =
      unit === undefined ? [] : [{ experiment, figure: null, title: `Throughput, ${unit}`, unit }];
    const counted = [...new Set(measured.flatMap(({ counts }) => Object.keys(counts)))];
    const counts = counted.map((figure) => ({
      experiment,
      figure,
      title: experiments.length > 1 ? `${figure} (${measurable.title.toLowerCase()})` : figure,
      unit: '',
    }));
    return [...throughput, ...counts.filter(isTold)];
  });
}

/** Returns the server's values by number of clients. */
export function serverPoints(server: MeasuredServer, { experiment, figure }: SweepFigure): SweptPoint[] {
  const runs = server.experiments.find((one) => one.experiment === experiment)?.runs ?? [];
  return runs
    .flatMap(({ clients, counts, operations_per_s }) => {
      const value = figure === null ? operations_per_s : counts[figure];
      return value == null ? [] : [{ clients, value }];
    })
    .sort((a, b) => a.clients - b.clients);
}

/** A run of the engine with this number of clients. */
export interface SweptRun {
  clients: number;
  tps: number;
  run: EngineRun;
}

/** Returns the engine's values by number of clients: means over the repeats. */
export function enginePoints(runs: readonly SweptRun[], { experiment, figure }: SweepFigure): SweptPoint[] {
  const measurable = measurableNamed(experiment);
  if (measurable === undefined) return [];
  const values = new Map<number, number[]>();
  for (const { clients, tps, run } of runs) {
    const value = figure === null ? tps : figuresOfEngineRun(measurable, run)[figure];
    if (value !== undefined) values.set(clients, [...(values.get(clients) ?? []), value]);
  }
  return [...values]
    .map(([clients, all]) => ({ clients, value: all.reduce((sum, one) => sum + one, 0) / all.length }))
    .sort((a, b) => a.clients - b.clients);
}

/** Returns the smallest number of clients that all curves have; null if there is none. */
export function commonClients(curves: readonly (readonly SweptPoint[])[]): number | null {
  const drawn = curves.filter((points) => points.length > 0);
  const [first, ...others] = drawn;
  const isInAll = (clients: number) =>
    others.every((points) => points.some((point) => point.clients === clients));
  return first?.find(({ clients }) => isInAll(clients))?.clients ?? null;
}

/**
 * Scales values to multiples of the value at `baseClients`, because machines differ in speed but
 * not in how throughput grows.
 */
export function asMultiples(points: readonly SweptPoint[], baseClients: number): SweptPoint[] {
  const base = points.find(({ clients }) => clients === baseClients)?.value ?? 0;
  return base === 0 ? [] : points.map(({ clients, value }) => ({ clients, value: value / base }));
}
