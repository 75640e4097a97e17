// Compares each count in scenarios/*/measured/*.json with the engine's count for the variant that
// models that server. The two agree within 2 %, or scenarios/<bug>/census.json lists the difference
// with a reason and bounds. Needs no server.
import { SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { comparedRuns, compareAll, judge, renewed } from '../census/compare.mjs';
import { engineCounts } from '../census/engine-counts.mjs';
import { lastSeenFaults } from '../census/last-seen.mjs';
import { readCensus } from '../census/read.mjs';
import { readMeasured } from '../real-servers/measured-file.mjs';

export const engines = ['virtual'];
export const fileOf = ({ id }) => `scenarios/${id}/census.json`;

const NOTHING = { variants: {}, not_compared: {}, exceptions: [] };

export async function read(manifest) {
  const measured = await readMeasured(SCENARIOS, manifest.id);
  if (measured.length === 0) return null;
  return { measured, census: (await readCensus(SCENARIOS, manifest)) ?? NOTHING };
}

export async function find(manifest, { measured, census }, runs, { all }) {
  const figures = await engineFigures(measured, census, runs);
  const { rows, left_out, unknown } = compareAll(measured, census, figures);
  const judged = judge(rows, census.exceptions);
  const { agreeing, listed, differing, outside, idle } = judged;
  return {
    lines: [
      `${agreeing.length} counts agree, ${listed.length} are listed`,
      ...left_out.map((server) => `${server} is not compared: ${census.not_compared[server]}`),
      ...(all ? agreeing.map((row) => `agrees: ${lineOf(row)}`) : []),
      ...(all ? listed.map((row) => `listed: ${lineOf(row)}`) : []),
    ],
    faults: [
      ...(census.last_seen === undefined ? [] : lastSeenFaults(census.last_seen, measured)),
      ...unknown.map((server) => `${server}: neither under "variants" nor under "not_compared"`),
    ],
    mended_by_update: [
      ...differing.map(
        (row) =>
          `differs, and is not listed; --update lists it, and it wants a reason ("because"): ${lineOf(row)}`,
      ),
      ...outside.map(
        ({ row, exception }) =>
          `beyond its bounds, engine ${exception.engine.join(' to ')} and server ${exception.server.join(' to ')}: ${lineOf(row)}`,
      ),
      ...idle.map((exception) => `listed, and agrees now; --update removes it: ${nameOf(exception)}`),
    ],
    figures,
    judged,
    census: { ...census, exceptions: renewed(rows, census.exceptions) },
  };
}

/**
 * The engine's counts for each server, whichever machine the server was measured on.
 * @returns {Promise<import('../census/compare.mjs').EngineCounts[]>}
 */
function engineFigures(measured, census, runs) {
  const places = comparedRuns(measured, census).map(({ experiment, server, clients }) => ({
    experiment,
    server: server.name,
    clients,
  }));
  const each = new Map(places.map((place) => [JSON.stringify(place), place]));
  return Promise.all(
    [...each.values()].map(async (place) => {
      const { experiment, server, clients } = place;
      return {
        ...place,
        counts: await engineCounts(runs, experiment, { design: census.variants[server], clients }),
      };
    }),
  );
}

const shown = (value) => value.toFixed(3);
const lineOf = ({ experiment, figure, version, server, clients, measured, engine }) =>
  `${server} ${version}, ${experiment}, ${clients} clients: ${figure} ${shown(measured)}, engine ${shown(engine)}`;
const nameOf = ({ experiment, figure, servers }) => `${experiment}, ${figure}, ${servers.join(' ')}`;

export function closing(all) {
  const count = (of) => all.reduce((sum, found) => sum + of(found), 0);
  const agreeing = count(({ judged }) => judged?.agreeing.length ?? 0);
  const listed = count(({ judged }) => judged?.listed.length ?? 0);
  const faults = count((found) => found.faults.length + (found.mended_by_update?.length ?? 0));
  return `census: ${agreeing} counts agree, ${listed} are listed with a reason, ${faults} faults`;
}

/** Rewrites the bounds of the exceptions and keeps their reasons. */
export const documents = (all) =>
  new Map(
    all.map(({ scenario, census }) => [fileOf({ id: scenario }), `${JSON.stringify(census, null, 2)}\n`]),
  );
