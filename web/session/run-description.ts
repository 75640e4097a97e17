// Describes a run in words and as a file name. Every export contains the description.
import { presetOf } from '../contract/design';
import { formatLink } from './link';
import type { Manifest } from '../contract/manifest';
import { designsInWords } from './previous-run';
import type { RunSpec } from '../contract/run-spec';
import { scenarioTitle } from '../contract/scenario-names';
import { describeServer } from '../contract/servers';
import type { ExplorerState } from './store';
import { whatIfInWords } from './what-if-words';

export interface RunDescription {
  /** Such as `Bug #69276: fil_system->mutex ...` */
  title: string;
  /** Design, machine, clients, seed. */
  conditions: string;
  /** The engine that ran it, or the file that the result is from. */
  source: string;
}

type Described = Pick<
  ExplorerState,
  'scenario' | 'marks' | 'result' | 'engine_version' | 'opened' | 'machine'
>;

export function describeRun(spec: RunSpec, state: Described): RunDescription {
  const { manifest } = state.scenario;
  const clients = spec.threads === 1 ? '1 client' : `${spec.threads} clients`;
  const design = `design: ${designsInWords(spec, state.marks, manifest)}`;
  return {
    title: scenarioTitle(manifest),
    conditions: [design, machineOf(spec), clients, `seed ${spec.seed}`, ...whatIfOf(spec)].join(' · '),
    source: sourceOf(state),
  };
}

function whatIfOf({ what_if }: RunSpec): string[] {
  const words = whatIfInWords(what_if);
  return words === null ? [] : [`what if ${words}`];
}

function machineOf({ platform, server }: RunSpec): string {
  if (platform === 'threads') return 'real threads of one machine';
  return server === undefined ? 'virtual server' : `virtual server: ${describeServer(server)}`;
}

function sourceOf({ result, engine_version, opened }: Described): string {
  const version = result?.engine.version ?? engine_version?.version;
  const writtenBy = version === undefined ? 'Latchscope' : `Latchscope ${version}`;
  return opened === null ? writtenBy : `${writtenBy}, from ${opened.name}`;
}

/** Returns the fragment of a link that opens this run spec. */
export const linkOfRun = (spec: RunSpec) => formatLink(spec);

const NAME_LENGTH_MAX = 60;

/** Returns the name of a scenario in file names: its id, or the title of a workload. */
export function nameInFiles({ scenario, workload }: Pick<RunSpec, 'scenario' | 'workload'>): string {
  const words = workload?.program.title.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return words.length === 0 ? scenario : words.join('-').slice(0, NAME_LENGTH_MAX);
}

/** Returns a name such as `latchscope-117533-original-virtual.csv`. */
export function fileName(spec: RunSpec, manifest: Manifest, ending: string): string {
  const design = presetOf(manifest, spec.design) ?? Object.values(spec.design).join('+');
  return `latchscope-${manifest.bug ?? nameInFiles(spec)}-${design}-${spec.platform}.${ending}`;
}
