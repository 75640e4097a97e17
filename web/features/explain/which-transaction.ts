// Names a transaction of the shown run in the engine's syntax (docs/guide/explain.md).
import { formatVirtualTime } from '../../analysis/format';
import { momentText } from '../../charts/axes';
import { CommandRefused } from '../../engine-client/engine';
import type { RunSpec } from '../../contract/run-spec';
import type { TimeRange } from '../../recording/time-scale';
import { baselineRun } from '../../session/baseline-run';
import type { ClientMoment, ExplorerState } from '../../session/store';

/** A choice and its title. */
export interface Wanted {
  transaction: string;
  blame: boolean;
  title: string;
}

export const slowestOf = (window: TimeRange | null): Wanted => ({
  transaction: `slowest${windowText(window)}`,
  blame: false,
  title: `Slowest transaction${windowInWords(window)}`,
});

export const p99Of = (window: TimeRange | null): Wanted => ({
  transaction: `p99${windowText(window)}`,
  blame: false,
  title: `p99 transaction${windowInWords(window)}`,
});

export const blameOf = (window: TimeRange | null): Wanted => ({
  ...slowestOf(window),
  blame: true,
  title: `Slowest 1 % of transactions${windowInWords(window)}`,
});

/** The oldest transaction at the shown moment. */
export const oldestUnderWay: Wanted = {
  transaction: 'oldest',
  blame: false,
  title: 'Oldest active transaction',
};

/** Returns the client's transaction at that moment. */
export const ofClient = ({ slot, tNs }: ClientMoment): Wanted => ({
  transaction: `thread:${slot}@${seconds(tNs / 1e9)}`,
  blame: false,
  title: `Transaction of client ${slot} at ${formatVirtualTime(tNs / 1e9)}`,
});

const windowText = (window: TimeRange | null) =>
  window === null ? '' : `@${seconds(window.fromS)}-${seconds(window.toS)}`;

const windowInWords = (window: TimeRange | null) =>
  window === null
    ? ' of the run'
    : `, ended from ${momentText(window.fromS, window, true)} to ${momentText(window.toS, window, true)}`;

/** Formats without an exponent, to the nanosecond: the page's times are whole nanoseconds. */
const seconds = (valueS: number) => valueS.toFixed(9).replace(/\.?0+$/, '');

/**
 * Returns the part of a run up to `nowS` that a range of the charts shows; null if it is all of
 * it.
 */
export function windowOf({ fromS, toS }: TimeRange, nowS: number): TimeRange | null {
  const window = { fromS: Math.max(0, fromS), toS: Math.min(toS, nowS) };
  return window.fromS === 0 && window.toS === nowS ? null : window;
}

/** Returns the run time that the shown run has reached. */
export const shownUntil = ({ result, model }: ExplorerState): number =>
  result?.spec.duration_s ?? (model?.run_ns ?? 0) / 1e9;

/** Returns why the shown run cannot be explained; null if it can. */
export function whyNotExplained(state: ExplorerState): CommandRefused | null {
  const { draft, spec, missing, result, opened, engine_version } = state;
  const refuse = (field: string, value: string, allowed: string, sentence: string) =>
    new CommandRefused([{ field, value, allowed }], sentence);
  if (draft.platform === 'threads')
    return refuse(
      'platform',
      'threads',
      'virtual',
      'On real threads, stalls are unknown. Use the virtual server.',
    );
  if (missing.virtual.length > 0)
    return refuse('platform', 'virtual', 'none here', 'This browser cannot run the virtual server.');
  if (spec === null) return refuse('run', 'none', 'a run on the virtual server', 'No run yet.');
  const versionHere = engine_version?.version ?? null;
  if (opened !== null && result !== null && versionHere !== null && result.engine.version !== versionHere)
    return refuse(
      'engine.version',
      result.engine.version,
      versionHere,
      `This result comes from engine ${result.engine.version}. This page has engine ${versionHere}, which may run it differently.`,
    );
  return null;
}

/** Returns the shown run up to the shown moment, as a spec that repeats every event. */
export function specShown(state: ExplorerState): RunSpec {
  const refused = whyNotExplained(state);
  if (refused !== null) throw refused;
  const spec = baselineRun(state)!;
  const durationS = shownUntil(state);
  return { ...spec, duration_s: durationS, actions: spec.actions.filter(({ at_s }) => at_s <= durationS) };
}
