// Reads and writes the stored text of a run. A page writes it to the tab's session storage, and the
// next page reads it.
import { isObject } from '../../contract/fault';
import type { KeptRun } from '../../contract/kept-run';
import { all_platforms } from '../../contract/platforms';
import type { Scenario } from '../../contract/manifest';
import { WORKLOAD } from '../../contract/workload-manifest';
import type { ExplorerState } from '../../session/store';
import { baselineRun } from '../../session/baseline-run';

const VERSION = 1;
/** Browsers store about 5,000,000 characters per tab, shared with other pages of the origin. */
export const RESULT_CHARACTERS_MAX = 2_000_000;

type Shown = Pick<
  ExplorerState,
  'spec' | 'marks' | 'whatIfByHand' | 'result' | 'resultJson' | 'run_state' | 'opened' | 'engine_version'
>;

/** Returns the shown run; null if there is none or it could not be built. */
export function keptRunOf(state: Shown): KeptRun | null {
  const spec = baselineRun(state);
  if (spec === null || state.run_state === 'idle') return null;
  const { resultJson, opened } = state;
  const fits = resultJson !== null && resultJson.length <= RESULT_CHARACTERS_MAX;
  return {
    spec,
    result: fits ? resultJson : null,
    was_over: resultJson !== null,
    file: opened?.name ?? null,
    engine: engineOf(state),
  };
}

/**
 * Returns the engine in the form of KeptRun.engine. A result of the virtual server has no build.
 */
export function engineOf({ opened, result, engine_version }: Shown): string | null {
  const engine = opened === null ? engine_version : (result?.engine ?? null);
  return engine === null ? null : [engine.version, engine.build].join(' ').trim();
}

export const textOfKeptRun = (kept: KeptRun): string => JSON.stringify({ version: VERSION, ...kept });

/**
 * Returns null if this page cannot offer the run: the text is damaged, has another version or an
 * unknown scenario.
 */
export function keptRunFrom(text: string | null, scenarios: readonly Scenario[]): KeptRun | null {
  const content = objectIn(text);
  if (content?.version !== VERSION) return null;
  const { spec, result, was_over, file, engine } = content;
  const isOfForm =
    isObject(spec) &&
    (spec.scenario === WORKLOAD || scenarios.some(({ manifest }) => manifest.id === spec.scenario)) &&
    all_platforms.some((platform) => platform === spec.platform) &&
    (spec.actions === undefined || Array.isArray(spec.actions)) &&
    typeof was_over === 'boolean' &&
    [result, file, engine].every(isTextOrNull);
  return isOfForm ? ({ spec, result, was_over, file, engine } as unknown as KeptRun) : null;
}

function objectIn(text: string | null): Record<string, unknown> | null {
  try {
    const content: unknown = JSON.parse(text ?? 'null');
    return isObject(content) ? content : null;
  } catch {
    return null;
  }
}

const isTextOrNull = (value: unknown) => value === null || typeof value === 'string';
