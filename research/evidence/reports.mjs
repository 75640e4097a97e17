// The bands of the public reports that workload files model, from scenarios/more-reports/. A change
// of a model, of its conditions or of the engine changes the stored figures.
import { readFamilies } from '../reproduce/server-search.mjs';
import { readServers, SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { figuresOf } from '../reports/bands.mjs';
import { DOCUMENT, documentWith, ratioInWords } from '../reports/document.mjs';
import {
  compiledSource,
  cornersOf,
  inputsOf,
  readReports,
  serversOf,
  sourceFileOf,
} from '../reports/read.mjs';
import { NoResult } from './scenario-runs.mjs';
import { readStored } from './stored-results.mjs';
import { brokenInvariants } from '../../tools/native-engine.mjs';

export const engines = ['virtual'];
export const fileOf = sourceFileOf;

/** The reports take the place of the scenarios. */
export const subjects = async () => (await readReports()).reports;

export async function read(report) {
  const { servers, reports } = await readReports();
  const families = await readFamilies(SCENARIOS, await readServers());
  return { servers, families, reports, ...(await compiledSource(report)) };
}

export async function find(report, { servers: listed, families, reports, source, program }, runs) {
  runs.recorded = {};
  const servers = serversOf(report, listed, families);
  const corners = cornersOf(report, program);
  const runOf = async (server, corner, side, seed) => {
    const spec = {
      version: 1,
      scenario: 'workload',
      workload: { source, program },
      platform: 'virtual',
      seed,
      threads: side.threads ?? report.threads,
      duration_s: report.seconds,
      design: side.design ?? 'original',
      parameters: { ...corner, ...side.parameters },
      ...(report.actions && { actions: report.actions }),
      server: server.values,
    };
    const name = `${server.name}, ${JSON.stringify(corner)}, ${JSON.stringify(side)}`;
    const { result } = await runs.outcome(name, 'virtual', spec);
    const broken = brokenInvariants(result);
    if (result.stopped_early !== undefined) broken.push(`stopped early, ${result.stopped_early}`);
    if (broken.length > 0) throw new NoResult(`${sourceFileOf(report)}: ${name}: ${broken.join('; ')}`);
    return result;
  };
  const withSeeds = (run) => Promise.all(Array.from({ length: report.seeds }, (_, i) => run(i + 1)));
  const pairs = await Promise.all(
    servers.flatMap((server) =>
      corners.map(async (corner) => ({
        server: server.name,
        before: await withSeeds((seed) => runOf(server, corner, report.before, seed)),
        after: await withSeeds((seed) => runOf(server, corner, report.after, seed)),
      })),
    ),
  );
  const figures = {
    ...figuresOf(report, pairs),
    servers: servers.length,
    corners: corners.length,
    inputs: inputsOf(report, listed, source),
  };
  const [low, high] = figures.band;
  const shares = figures.latch_share?.map((share) => `${Math.round(share * 100)} %`).join(' to ');
  return {
    lines: [
      `band ${low} to ${high}, reported ${ratioInWords(report.reported.ratio)}: ${figures.verdict}`,
      ...(shares === undefined ? [] : [`${report.latch} takes ${shares} of the clients’ time before`]),
      ...figures.by_server.map((one) => `${one.server}: ${one.low} to ${one.high}`),
    ],
    faults: [],
    figures,
    reports,
  };
}

export function closing(all) {
  const count = (verdict) => all.filter(({ figures }) => figures?.verdict === verdict).length;
  return `reports: ${count('inside')} of ${all.length} inside their bands, ${count('outside')} outside, ${count('predicts_nothing')} bands predict nothing, ${count('not_comparable')} not comparable`;
}

/** The document that lists all reports, with the stored figures of those that did not run. */
export function documents(all, textOf) {
  const stored = Object.entries(readStored(SCENARIOS, 'reports')).map(([id, { figures }]) => [id, figures]);
  if (all.length === 0) return new Map();
  const found = all.map(({ scenario, figures }) => [scenario, figures]);
  const figures = new Map([...stored, ...found]);
  return new Map([[DOCUMENT, documentWith(textOf(DOCUMENT), all[0].reports, figures)]]);
}
