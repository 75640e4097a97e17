// @ts-check
// `latchscope lab literature`: runs the contests that published claims describe
// (lab/literature.json), and compares the shapes of the curves.
import { engineProgram } from './engine-program.mjs';
import { runContests } from './lab-contests.mjs';
import { readLatches, readLiterature } from './lab-latches.mjs';
import { readArguments, usageError } from './command-line.mjs';
import { EXIT } from './processes.mjs';
import { ensureNodeModules } from './setup/index.mjs';

/** @typedef {import('./lab-latches.mjs').LiteratureClaim} LiteratureClaim */
/** @typedef {Map<number, number>} Curve figures by thread count, ascending */
/**
 * @typedef {{ latch: string, curve: Curve }[]} Curves one curve for each latch, in the order of the
 *   claim
 */

const measures = {
  acquisitions_per_s: 'acquisitions per second',
  ns_per_acquisition: 'ns per acquisition, over all threads',
  hand_over_ns: 'ns per hand-off',
  line_transfers_per_acquisition: 'cache-line transfers per acquisition',
  overtaken_max: 'acquisitions by others during one wait',
};

const LITERATURE_USAGE = `latchscope lab literature [CLAIM ...]
    CLAIM   runs only these claims of lab/literature.json; default: all
Exit code 0: each outcome is the one in lab/literature.json; 1: one differs; 2: bad usage; 3: the engine failed.
`;

/** @param {string[]} args */
export async function literatureCommand(args) {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(LITERATURE_USAGE);
    return;
  }
  const { positionals } = readArguments(args, {}, { withPositionals: true });
  await ensureNodeModules();
  const { sources, claims } = await readLiterature();
  const known = claims.map(({ id }) => id);
  for (const id of positionals)
    if (!known.includes(id)) throw usageError('CLAIM', id, `one of ${known.join(', ')}`);
  const chosen = claims.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  const measured = await measureClaims(chosen);
  for (const { claim, curves } of measured) console.log(`${describeClaim(claim, curves, sources)}\n`);
  const others = measured.filter(({ claim, curves }) => holds(claim.shape, curves) !== claim.holds);
  const held = measured.filter(({ claim }) => claim.holds).length;
  console.log(`${held} of ${measured.length} claims hold on the modeled servers.`);
  if (others.length === 0) return;
  console.log(`Different from lab/literature.json: ${others.map(({ claim }) => claim.id).join(', ')}.`);
  process.exitCode = EXIT.failed;
}

/**
 * @param {LiteratureClaim[]} claims
 * @returns {Promise<{ claim: LiteratureClaim, curves: Curves }[]>}
 */
export async function measureClaims(claims) {
  await readLatches();
  const engine = await engineProgram();
  /** @type {Map<string, Promise<any[]>>} */
  const held = new Map();
  const contestsOf = (/** @type {string} */ latch, /** @type {LiteratureClaim['contest']} */ contest) => {
    const key = JSON.stringify([latch, contest]);
    const contests = held.get(key) ?? runContests(engine, latch, contest);
    held.set(key, contests);
    return contests;
  };
  const measured = [];
  for (const claim of claims) {
    const curves = [];
    for (const latch of claim.latches)
      curves.push({ latch, curve: curveOf(claim.measure, await contestsOf(latch, claim.contest)) });
    measured.push({ claim, curves });
  }
  return measured;
}

/** @param {LiteratureClaim['measure']} measure @param {any[]} contests @returns {Curve} */
function curveOf(measure, contests) {
  const figureOf = (/** @type {any} */ contest) =>
    measure === 'ns_per_acquisition' ? 1e9 / contest.acquisitions_per_s : contest[measure];
  return new Map(contests.map((contest) => [contest.threads, figureOf(contest)]));
}

/** @type {Record<string, (shape: any, curves: Curve[]) => boolean>} */
const judges = {
  flat: ({ from, within }, [curve]) => {
    const figures = figuresFrom(curve, from);
    return Math.max(...figures) <= within * Math.min(...figures);
  },
  grows: ({ from, at_least }, [curve]) => {
    const figures = figuresFrom(curve, from);
    const always = figures.every((figure, i) => i === 0 || figure > at(figures, i - 1));
    return always && at(figures, -1) >= at_least * at(figures, 0);
  },
  falls: ({ from, to_at_most }, [curve]) => {
    const figures = figuresFrom(curve, from);
    return at(figures, -1) <= to_at_most * at(figures, 0);
  },
  steps: ({ from, to, by }, [curve]) => figureAt(curve, to) >= by * figureAt(curve, from),
  linear: ({ from, within }, [curve]) => {
    const slopes = slopesFrom(curve, from);
    return Math.min(...slopes) > 0 && Math.max(...slopes) <= within * Math.min(...slopes);
  },
  peaks: ({ from, to, last_at_most }, [curve]) => {
    const figures = figuresFrom(curve, 1);
    const peak = Math.max(...figures);
    const where = [...(curve ?? [])].find(([, figure]) => figure === peak)?.[0] ?? 0;
    return where >= from && where <= to && at(figures, -1) <= last_at_most * peak;
  },
  ordered: ({ from, by }, [first, second]) =>
    countsFrom(first, from).every((count) => figureAt(first, count) > by * figureAt(second, count)),
  crosses: ({ between: [lastAbove, firstBelow] }, [first, second]) =>
    countsFrom(first, 1).every((count) => {
      const difference = figureAt(first, count) - figureAt(second, count);
      return (count > lastAbove || difference > 0) && (count < firstBelow || difference < 0);
    }),
  level: ({ from, within }, [first, second]) =>
    countsFrom(first, from).every((count) => {
      const ratio = figureAt(first, count) / figureAt(second, count);
      return ratio <= within && ratio >= 1 / within;
    }),
  steeper: ({ from, by }, [first, second]) => {
    const [rise, otherRise] = [first, second].map((curve) => {
      const figures = figuresFrom(curve, from);
      return at(figures, -1) - at(figures, 0);
    });
    return at([rise ?? 0], 0) >= by * at([otherRise ?? 0], 0);
  },
};

/**
 * Returns whether the curves have the shape.
 * @param {LiteratureClaim['shape']} shape
 * @param {Curves} curves
 */
export function holds(shape, curves) {
  return judges[shape.kind]?.(
    shape,
    curves.map(({ curve }) => curve),
  );
}

/** @param {number[]} figures @param {number} i */
const at = (figures, i) => figures.at(i) ?? NaN;
/** @param {Curve | undefined} curve @param {number} count */
const figureAt = (curve, count) => curve?.get(count) ?? NaN;
/** @param {Curve | undefined} curve @param {number} from */
const countsFrom = (curve, from) => [...(curve?.keys() ?? [])].filter((count) => count >= from);
/** @param {Curve | undefined} curve @param {number} from */
const figuresFrom = (curve, from) => countsFrom(curve, from).map((count) => figureAt(curve, count));
/**
 * Returns the increase per additional thread between consecutive thread counts.
 * @param {Curve | undefined} curve
 * @param {number} from
 */
const slopesFrom = (curve, from) =>
  countsFrom(curve, from).flatMap((count, i, counts) => {
    const before = counts[i - 1];
    if (before === undefined) return [];
    return [(figureAt(curve, count) - figureAt(curve, before)) / (count - before)];
  });

/**
 * @param {LiteratureClaim} claim
 * @param {Curves} curves
 * @param {import('./lab-latches.mjs').LiteratureSource[]} sources
 */
export function describeClaim(claim, curves, sources) {
  const { server, hold_ns, think_ns, shared_percent = 0, threads } = claim.contest;
  const cited = claim.sources.map((id) => sources.find((source) => source.id === id)?.cited);
  const shared = shared_percent > 0 ? `, ${shared_percent} % shared` : '';
  const row = (/** @type {string} */ name, /** @type {(number | string)[]} */ cells) =>
    `  ${name.padEnd(22)}${cells.map((cell) => `${cell}`.padStart(10)).join('')}`;
  return [
    `${claim.id}: ${holds(claim.shape, curves) ? 'holds' : 'does not hold'}`,
    `  ${cited.join('; ')}; ${claim.where}: ${claim.says}`,
    `  ${measures[claim.measure]}, on ${server}, ${hold_ns} ns inside and ${think_ns} ns between${shared}:`,
    row('threads', threads),
    ...curves.map(({ latch, curve }) =>
      row(
        latch,
        threads.map((count) => figure(figureAt(curve, count))),
      ),
    ),
    ...(claim.remark === undefined ? [] : [`  ${claim.remark}`]),
  ].join('\n');
}

/** @param {number} value */
function figure(value) {
  if (!Number.isFinite(value)) return '-';
  return value >= 100 ? `${Math.round(value)}` : value.toFixed(value >= 10 ? 1 : 2);
}
