// Finds where two branches on the modeled server diverge and what differs afterwards. Runs both
// again, each in its own engine, with one seed or several.
import type { BranchDiff, Parting } from '../contract/going-back';
import type { RunSpec } from '../contract/run-spec';
import { NoExtraEngine, type ExtraEngine } from './extra-engine';

/** Runs both branches, one seed at a time. */
export type EnginePair = readonly [ExtraEngine, ExtraEngine];
type Specs = readonly [RunSpec, RunSpec];

export interface DiffProgress {
  seedsDone: number;
  /** How often both have run with the latest seed, including the pass in progress. */
  pass: number;
}

const nothingNoted = JSON.stringify({ after: 0, count: 0 });

/**
 * Compares the branches for `seeds` seeds, starting with that of the specs. Runs as many seeds at
 * once as there are pairs of engines.
 */
export async function diffOfBranches(
  pairs: readonly EnginePair[],
  specs: Specs,
  seeds: number,
  onProgress: (progress: DiffProgress) => void,
): Promise<BranchDiff> {
  const partings: string[] = [];
  const toCome = [...Array(seeds).keys()];
  let seedsDone = 0;
  const workOn = async (engines: EnginePair, lasts: boolean) => {
    while (toCome.length > 0) {
      const place = toCome.shift()!;
      try {
        partings[place] = await partingOf(engines, withSeed(specs, place), (pass) =>
          onProgress({ seedsDone, pass }),
        );
      } catch (error) {
        // Memory does not suffice for so many engines: the first pair does the rest.
        if (lasts || !(error instanceof NoExtraEngine)) throw error;
        toCome.unshift(place);
        return;
      }
      seedsDone += 1;
    }
  };
  await Promise.all(pairs.map((engines, place) => workOn(engines, place === 0)));
  await workOn(pairs[0]!, true);
  const judge = await pairs[0]![0].ready();
  const [a, b] = specs.map((spec) => JSON.stringify(spec));
  const given = `{"a":${a},"b":${b},"pairs":[${partings.join(',')}]}`;
  return JSON.parse(await judge.ask('course_diff', given)) as BranchDiff;
}

const withSeed = ([a, b]: Specs, place: number): Specs => [
  { ...a, seed: a.seed + place },
  { ...b, seed: b.seed + place },
];

/**
 * Compares the branches for one seed. Returns the JSON that wasm-engine/explain/course_report.h
 * defines.
 */
async function partingOf(engines: EnginePair, specs: Specs, onPass: (pass: number) => void): Promise<string> {
  let noted = nothingNoted;
  for (let pass = 1; ; pass += 1) {
    onPass(pass);
    const courses = await ofBoth((i) => engines[i].course(specs[i], noted));
    const judge = await engines[0].ready();
    const given = `{"noted":${noted},"courses":[${courses.join(',')}]}`;
    const { next, event, noted_until, on_server } = JSON.parse(await judge.ask('parting', given)) as Parting;
    if (next.count > 0) {
      noted = JSON.stringify(next);
      continue;
    }
    const eventsAt = (numbers: readonly [number, number] | null) =>
      ofBoth(async (i) =>
        numbers === null ? 'null' : (await engines[i].ready()).ask('noted_event', String(numbers[i])),
      );
    const events = await eventsAt(event === 0 ? null : [event, event]);
    const ofServer = await eventsAt(on_server);
    const figures = courses.map((course) => (JSON.parse(course) as { figures: unknown }).figures);
    return (
      `{"event":${event},"noted_until":${noted_until},"events":[${events.join(',')}],` +
      `"on_server":[${ofServer.join(',')}],"figures":${JSON.stringify(figures)}}`
    );
  }
}

const ofBoth = <Value>(of: (i: 0 | 1) => Promise<Value>): Promise<[Value, Value]> =>
  Promise.all([of(0), of(1)]);
