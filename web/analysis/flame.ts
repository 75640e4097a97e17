// Builds the tree of a flame graph from sampled stacks, and searches it.
import type { CpuProfile, FlameStack, ProfileRow, StateCounts } from '../contract/live-view';
import { busy_states, type BusyState } from '../contract/time-shares';
import { frameNames, latchOfSite, type ThreadSample, type ThreadSamples } from './thread-sample';

/** A frame of the flame graph, with all frames that it called. */
export interface FlameNode {
  /** A function, or the thread's activity at the end of its stack. */
  name: string;
  isDoing: boolean;
  /**
   * Joined names from the outermost frame to this one. A frame has the same path in every reading.
   */
  path: string;
  samples: number;
  states: StateCounts;
  /** Sorted by name, so that frames stay in place from one reading to the next. */
  children: FlameNode[];
}

export const ROOT_PATH = '';

/** Counts threads by stack and activity, over all samples. */
export class StackCensus {
  readonly #counts = new Map<string, { sample: ThreadSample; samples: number }>();

  copy(): StackCensus {
    const copy = new StackCensus();
    for (const [key, counted] of this.#counts) copy.#counts.set(key, { ...counted });
    return copy;
  }

  add(threads: readonly ThreadSample[]): void {
    for (const sample of threads) {
      const key = `${sample.isClient} ${sample.stack} ${sample.state} ${sample.waitsFor?.site}`;
      const known = this.#counts.get(key);
      if (known === undefined) this.#counts.set(key, { sample, samples: 1 });
      else known.samples += 1;
    }
  }

  /** Returns the counted stacks. `names` resolves the numbers in the samples. */
  stacks(names: Omit<ThreadSamples, 'byMoment'>): FlameStack[] {
    const context = { ...names, byMoment: [] };
    return [...this.#counts.values()].flatMap(({ sample, samples }) => {
      const state = busy_states.find((busy) => busy === sample.state);
      if (state === undefined) return [];
      const frames = frameNames(context, sample.stack).reverse();
      return {
        frames: frames.length === 0 ? [OUTSIDE] : frames,
        is_client: sample.isClient,
        samples,
        states: { [state]: samples },
        doing: describeDoing(context, state, sample),
      };
    });
  }
}

/** Returns the stacks of these samples, with the threads' activities. */
export function flameStacks(samples: ThreadSamples): FlameStack[] {
  const census = new StackCensus();
  for (const threads of samples.byMoment) census.add(threads);
  return census.stacks(samples);
}

function describeDoing(samples: ThreadSamples, state: BusyState, { waitsFor }: ThreadSample): string {
  const latch = waitsFor === null ? null : latchOfSite(samples, waitsFor.site);
  switch (state) {
    case 'waiting':
      return latch === null ? 'waiting' : `waiting for ${latch}`;
    case 'spinning':
      return latch === null ? 'spinning' : `spinning on ${latch}`;
    case 'stalled':
      return 'stalled on a cache line';
    case 'following':
      return 'asleep in a commit group';
    case 'ready':
      return 'ready, without a core';
    case 'io':
      return 'in I/O';
    default:
      return state;
  }
}

/**
 * Returns the stacks of a run result, which has no thread kinds or states. The page's own samples
 * of the same stacks supply them where available.
 */
export function flameStacksOfRun(
  runStacks: readonly { frames: readonly string[]; samples: number }[],
  seen: readonly FlameStack[],
): FlameStack[] {
  const seenByFrames = new Map<string, FlameStack[]>();
  for (const stack of seen) {
    const key = stack.frames.join(SEPARATOR);
    seenByFrames.set(key, [...(seenByFrames.get(key) ?? []), stack]);
  }
  const isClientByEntry = new Map(seen.map(({ frames, is_client }) => [frames[0], is_client]));
  return runStacks.map(({ frames, samples }) => {
    const alike = seenByFrames.get(frames.join(SEPARATOR)) ?? [];
    const found = alike.reduce((total, one) => total + one.samples, 0);
    const states = alike.reduce<StateCounts>((sums, one) => addStates(sums, one.states, samples / found), {});
    return {
      frames: [...frames],
      is_client: isClientByEntry.get(frames[0]) ?? null,
      samples,
      states,
      doing: null,
    };
  });
}

/** Merges all stacks into one tree, below a root frame called `name` for all threads. */
export function flameTree(name: string, stacks: readonly FlameStack[]): FlameNode {
  const root: FlameNode = { name, isDoing: false, path: ROOT_PATH, samples: 0, states: {}, children: [] };
  for (const stack of stacks) addStack(root, stack);
  sortByName(root);
  return root;
}

const SEPARATOR = '\n';

function addStack(root: FlameNode, { frames, samples, states, doing }: FlameStack): void {
  const names = doing === null ? frames : [...frames, doing];
  let node = root;
  count(node, samples, states);
  for (const [depth, name] of names.entries()) {
    node = childOf(node, name, doing !== null && depth === frames.length);
    count(node, samples, states);
  }
}

function childOf(parent: FlameNode, name: string, isDoing: boolean): FlameNode {
  const known = parent.children.find((child) => child.name === name && child.isDoing === isDoing);
  if (known !== undefined) return known;
  const path = `${parent.path}${SEPARATOR}${isDoing ? '·' : ''}${name}`;
  const child: FlameNode = { name, isDoing, path, samples: 0, states: {}, children: [] };
  parent.children.push(child);
  return child;
}

function count(node: FlameNode, samples: number, states: StateCounts): void {
  node.samples += samples;
  node.states = addStates(node.states, states, 1);
}

function addStates(sums: StateCounts, more: StateCounts, factor: number): StateCounts {
  const total = { ...sums };
  for (const state of busy_states) {
    const samples = more[state];
    if (samples !== undefined) total[state] = (total[state] ?? 0) + samples * factor;
  }
  return total;
}

function sortByName(node: FlameNode): void {
  node.children.sort((a, b) => (a.path < b.path ? -1 : 1));
  node.children.forEach(sortByName);
}

/** Returns the most frequent state below a frame; null if no state is known. */
export function mainState(states: StateCounts): BusyState | null {
  const known = busy_states.filter((state) => (states[state] ?? 0) > 0);
  return known.reduce<BusyState | null>(
    (most, state) => (most === null || states[state]! > states[most]! ? state : most),
    null,
  );
}

export const matches = (name: string, query: string) =>
  query !== '' && name.toLowerCase().includes(query.toLowerCase());

/** Returns the number of samples whose stack has a frame that matches the query. */
export function matchedSamples(node: FlameNode, query: string): number {
  if (node.path !== ROOT_PATH && matches(node.name, query)) return node.samples;
  return node.children.reduce((total, child) => total + matchedSamples(child, query), 0);
}

/** Returns the frame with this path, or its innermost ancestor that still exists. */
export function nearestNode(root: FlameNode, path: string): FlameNode {
  let node = root;
  for (;;) {
    const next = node.children.find(
      (child) => path === child.path || path.startsWith(child.path + SEPARATOR),
    );
    if (next === undefined) return node;
    node = next;
  }
}

/** Computes where client and server threads spend the time in which they run or poll a latch. */
export function cpuProfile(samples: ThreadSamples, rowsMax: number): CpuProfile {
  const onCpu = samples.byMoment.flat().filter(isOnCpu);
  const polling = onCpu.filter(({ state }) => state === 'spinning').length;
  return {
    samples: onCpu.length,
    polling: onCpu.length === 0 ? null : polling / onCpu.length,
    rows: profileRows(samples, onCpu).slice(0, rowsMax),
  };
}

/** Counts as `perf` does: a core that waits for a cache line is busy. */
const isOnCpu = ({ state }: ThreadSample) =>
  state === 'running' || state === 'stalled' || state === 'spinning';

function profileRows(samples: ThreadSamples, onCpu: ThreadSample[]): ProfileRow[] {
  const self = new Map<string, number>();
  const children = new Map<string, number>();
  for (const { stack } of onCpu) {
    const frames = frameNames(samples, stack);
    addOne(self, frames[0] ?? OUTSIDE);
    // A recursive function counts once per sample.
    for (const symbol of new Set(frames.length === 0 ? [OUTSIDE] : frames)) addOne(children, symbol);
  }
  return [...children]
    .map(([symbol, count]) => ({
      symbol,
      children: count / onCpu.length,
      self: (self.get(symbol) ?? 0) / onCpu.length,
    }))
    .sort((a, b) => b.self - a.self || b.children - a.children);
}

/**
 * Row for samples without a stack: between two functions of the engine, or in one without a frame.
 */
const OUTSIDE = '[no frame]';

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
