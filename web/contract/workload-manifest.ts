// Derives the manifest of a workload file from its program. The engine derives the same names and
// limits (wasm-engine/workload/script_scenario.h).
import type { Design } from './design.ts';
import { engine_limits } from './engine-limits.ts';
import type { Knob, Parameter, Scenario, Variant, WorkloadManifest } from './manifest.ts';
import type {
  ScriptDesign,
  ScriptGroup,
  ScriptKind,
  ScriptKnob,
  ScriptLatchKindName,
  ScriptLatchProgram,
  ScriptParameter,
  ScriptVariant,
  Workload,
  WorkloadProgram,
} from './workload-program.ts';

/** Id of the scenario of every workload file. */
export const WORKLOAD = 'workload';

const VIRTUAL_SERVER = 'server-2025';
const SYSBENCH_PERCENTILE = 95;

/** REQUIRES: one group of the program has the transaction. */
export function manifestOfWorkload(program: WorkloadProgram, source?: string): WorkloadManifest {
  const { title, unit, knobs, designs, parameters, groups, counters = [], kinds = [] } = program;
  const { threads } = groups.find(({ has_transaction }) => has_transaction)!;
  const { threads: max } = engine_limits.clients_max;
  const one = singular(unit);
  return {
    id: WORKLOAD,
    title,
    workload: { ...(source !== undefined && { source }), program },
    unit_of_work: {
      transaction: `one ${one}`,
      operation: one,
      operation_counter: 'transactions',
      operations_are_drawn: false,
    },
    threads: { min: 1, max, default: Math.min(threads, max), virtual_default: threads },
    virtual_server: VIRTUAL_SERVER,
    knobs: knobs.map((knob) => knobOf(knob, kinds)),
    designs: Object.fromEntries(designs.map((design) => [design.id, designOf(design, knobs)])),
    design_titles: Object.fromEntries(designs.map(({ id }) => [id, inWords(id)])),
    parameters: parameters.map(parameterOf),
    actions: groups.filter(({ runs }) => runs === 'on_action').map((group) => actionOf(group, program)),
    sysbench_percentile: SYSBENCH_PERCENTILE,
    shown_counters: ['transactions', ...counters],
  };
}

interface WorkloadScenario extends Scenario {
  manifest: WorkloadManifest;
}

const scenarioOfProgram = new WeakMap<WorkloadProgram, WorkloadScenario>();

/** Returns the scenario of a workload: the same one for the same program and source. */
export function scenarioOfWorkload({ program, source }: Workload): WorkloadScenario {
  const known = scenarioOfProgram.get(program);
  if (known !== undefined && known.manifest.workload.source === source) return known;
  const scenario: WorkloadScenario = {
    manifest: manifestOfWorkload(program, source),
    story_html: '',
    lesson: null,
    reproduction: [],
    front_run: null,
    stage: null,
    last_seen: null,
  };
  scenarioOfProgram.set(program, scenario);
  return scenario;
}

/** What a run spec says about its scenario. */
interface OfScenario {
  scenario: string;
  workload?: Workload | null;
}

/** Returns the scenario of a run spec; undefined if this build has no such bug. */
export const scenarioOfSpec = ({ scenario, workload }: OfScenario, scenarios: readonly Scenario[]) =>
  workload == null
    ? scenarios.find(({ manifest }) => manifest.id === scenario)
    : scenarioOfWorkload(workload);

/** Reports whether two run specs have the same scenario, and the same program if it is a workload. */
export function isSameScenario(one: OfScenario, other: OfScenario): boolean {
  const [a, b] = [one.workload?.program, other.workload?.program];
  return one.scenario === other.scenario && (a === b || JSON.stringify(a) === JSON.stringify(b));
}

/** Returns the latches of a program, and the sites that take each. */
export function sitesOfProgram({ latches, holds, names }: WorkloadProgram): Record<string, string[]> {
  const sitesOf = (latch: number) =>
    holds.filter((hold) => hold.latch === latch).map(({ site }) => names[site]!);
  return Object.fromEntries(latches.map(({ name }, place) => [name, [...new Set(sitesOf(place))]]));
}

type Kinds = readonly ScriptLatchProgram[];

function knobOf({ id, question, variants }: ScriptKnob, kinds: Kinds): Knob {
  const title = inWords(id);
  return {
    ...{ id, title, question: question === id ? title : question },
    variants: variants.map((variant) => variantOf(variant, kinds)),
  };
}

const variantOf = ({ id, origin, kind, value }: ScriptVariant, kinds: Kinds): Variant => ({
  id,
  title: inWords(id),
  origin,
  explanation: kind === undefined ? `The number ${value ?? 0}.` : explanationOf(kind, kinds),
});

const explanations: Record<Exclude<ScriptLatchKindName, 'lab_latch'>, string> = {
  none: 'No latch: threads pass without waiting.',
  innodb_mutex: 'InnoDB’s mutex: a thread spins, then sleeps until the holder wakes it.',
  innodb_rw_lock: 'InnoDB’s rw-lock: readers share it, and all of them count on one cache line.',
  sharded_rw_lock: 'An rw-lock in parts: a reader locks one part, a writer all of them.',
  pthread_mutex: 'A mutex of the operating system’s threads: a thread that does not get it sleeps.',
  semaphore: 'A semaphore: a stated number of threads may be inside at once.',
};

function explanationOf({ kind, size, program }: ScriptKind, kinds: Kinds): string {
  if (kind === 'lab_latch') return `The latch ${kinds[program!]!.name}, in the language of the latch lab.`;
  const explained = explanations[kind];
  if (size === undefined) return explained;
  const counted = kind === 'semaphore' ? `${size} at once` : `${size} parts`;
  return `${explained.slice(0, -1)} (${counted}).`;
}

const designOf = ({ variants }: ScriptDesign, knobs: readonly ScriptKnob[]): Design =>
  Object.fromEntries(knobs.map(({ id, variants: all }, place) => [id, all[variants[place]!]!.id]));

function parameterOf({ id, title, unit, min, max, default: usual }: ScriptParameter): Parameter {
  const inUnit = (value: number) => `${value.toLocaleString('en')}${unit === '' ? '' : ` ${unit}`}`;
  return {
    id,
    title: title === id ? inWords(id) : title,
    ...{ unit, min, max, default: usual },
    explanation: `From ${inUnit(min)} to ${inUnit(max)}; default: ${inUnit(usual)}.`,
  };
}

const actionOf = ({ name, title, code: [begin] }: ScriptGroup, { source_lines }: WorkloadProgram) => ({
  id: name,
  title: title === undefined || title === name ? inWords(name) : title,
  explanation: `Runs ${name} of the file once, from line ${source_lines[begin] ?? 0}.`,
});

/** Writes an identifier as a label: `grant_lock` becomes `Grant lock`. */
function inWords(id: string): string {
  const words = id.replaceAll('_', ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the name of one of them: `statements` becomes `statement`. */
function singular(unit: string): string {
  if (unit.endsWith('ies')) return unit.replace(/ies$/, 'y');
  if (/(ss|x|ch|sh)es$/.test(unit)) return unit.slice(0, -2);
  return /[^s]s$/.test(unit) ? unit.slice(0, -1) : unit;
}
