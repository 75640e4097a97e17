// Reads and checks scenarios/ for the page.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { Plugin } from 'vite';

import { readLastSeen } from '../../research/census/last-seen.mjs';
import { read as readStage } from '../../research/evidence/stage.mjs';
import { readStored, storedFiles } from '../../research/evidence/stored-results.mjs';
import { measuredFiles } from '../../research/real-servers/measured-file.mjs';
import { readChecked } from '../../tools/scenario-files.mjs';
import { MORE_REPORTS, readManifests, readServers } from '../../tools/scenario-manifests.mjs';
import type { StoredStageCourse } from '../contract/client-queue';
import type { Lesson } from '../contract/lesson';
import type { BugManifest, FrontRun, StageSummary } from '../contract/manifest';
import type { MoreReports, ReportFigures, ShownReport } from '../contract/scenario-files/more-reports';
import type { Family } from '../contract/scenario-files/plausible-servers';
import type { StageStory } from '../contract/scenario-files/stage';
import type { ReproducedFigure, ReproductionRow } from '../contract/reproduced-figures';
import type { BugScenario } from '../contract/scenario-names';
import type { Servers } from '../contract/servers-file';
import { parseLesson } from './lesson.ts';
import { storyHtml } from './story.ts';
import { virtualModules } from './virtual-modules.ts';

/**
 * Provides `import { scenarios, servers } from 'virtual:scenarios'`: the checked content of
 * scenarios/. The other modules load lazily. `virtual:scenario-texts` has `texts`, the HTML of stories and
 * lessons, and `reproductions`, all rows of the reproduction. `virtual:scenario-texts/processor-families`
 * has `families`, the processors of plausible-servers.json. `virtual:scenario-texts/more-reports` has
 * `reports`, the list of the start page, and `virtual:scenario-texts/report-sources` their files.
 */
export function scenarios(scenariosFolder: string): Plugin {
  const read = async () => {
    const loaded = await loadScenarios(scenariosFolder);
    return { loaded, ...textsApart(loaded.map(withFiguresOfCard)) };
  };
  return virtualModules('scenarios', {
    'virtual:scenarios': async () => {
      const { loaded, scenariosJson } = await read();
      const servers = await readServers(scenariosFolder);
      const exported = { scenarios: JSON.parse(scenariosJson) as unknown, servers };
      return { files: filesRead(scenariosFolder, loaded), exported };
    },
    'virtual:scenario-texts': async () => {
      const { loaded, texts } = await read();
      const reproductions = Object.fromEntries(loaded.map((one) => [one.manifest.id, one.reproduction]));
      return { files: filesRead(scenariosFolder, loaded), exported: { texts, reproductions } };
    },
    'virtual:scenario-texts/processor-families': async () => {
      const file = path.join(scenariosFolder, 'plausible-servers.json');
      // Whether families name fields of servers.json is checked where they run (research/reproduce).
      const name = 'scenarios/plausible-servers.json';
      const { families } = (await readChecked('plausible-servers', file, name)) as { families: Family[] };
      return { files: [file], exported: { families } };
    },
    'virtual:scenario-texts/more-reports': async () => {
      const { files, reports } = await readMoreReports(scenariosFolder);
      return { files, exported: { reports: shownReports(scenariosFolder, reports) } };
    },
    'virtual:scenario-texts/report-sources': async () => {
      const { files, reports } = await readMoreReports(scenariosFolder);
      const paths = reports.map(({ id }) => [id, path.join(scenariosFolder, MORE_REPORTS, `${id}.workload`)]);
      const sources = Object.fromEntries(paths.map(([id, file]) => [id!, readFileSync(file!, 'utf8')]));
      return { files: [...files, ...paths.map(([, file]) => file!)], exported: { sources } };
    },
  });
}

async function readMoreReports(scenariosFolder: string) {
  const file = path.join(scenariosFolder, MORE_REPORTS, 'reports.json');
  const name = `scenarios/${MORE_REPORTS}/reports.json`;
  // Its files and names are checked where its bands are computed (research/reports).
  const { reports } = (await readChecked('more-reports', file, name)) as MoreReports;
  return { files: [file, ...storedFiles.map((stored) => path.join(scenariosFolder, stored))], reports };
}

/** A report without a stored band is not shown. */
function shownReports(scenariosFolder: string, reports: MoreReports['reports']): ShownReport[] {
  const stored = readStored(scenariosFolder, 'reports') as Record<string, { figures: ReportFigures }>;
  return reports.flatMap(({ id, title, label, story, reported: { ratio } }) => {
    const figures = stored[id]?.figures;
    if (figures === undefined) return [];
    const { band, verdict, within } = figures;
    return [{ id, title, label, story, band, verdict, within, ratio }];
  });
}

function filesRead(scenariosFolder: string, loaded: readonly BugScenario[]): string[] {
  const common = ['manifest', 'servers', 'census', 'measured'].map((name) => `${name}.schema.json`);
  const ofEach = ['manifest.json', 'story.md', 'lesson.md', 'front-run.json', 'stage.json', 'census.json'];
  return loaded
    .flatMap(({ manifest: { id } }) => ofEach.map((file) => `${id}/${file}`))
    .concat('servers.json', common, storedFiles)
    .map((file) => path.join(scenariosFolder, file))
    .concat(loaded.flatMap(({ manifest }) => measuredFiles(scenariosFolder, manifest.id)));
}

const withFiguresOfCard = (scenario: BugScenario): BugScenario => ({
  ...scenario,
  reproduction: scenario.reproduction
    .filter((row) => isOnCard(row, scenario.front_run))
    .map(({ figure, label, reported, here }) => ({ figure, label, reported, here })),
});

const isOnCard = ({ figure, label }: ReproducedFigure, frontRun: FrontRun | null) =>
  frontRun !== null && (frontRun.figures.here.includes(label) || frontRun.figures.reported.includes(figure));

const htmlField = /(^|_)html$/;

/** Returns the scenarios with each text replaced by its number, and the texts by number. */
export function textsApart(loaded: readonly BugScenario[]): { scenariosJson: string; texts: string[] } {
  const texts: string[] = [];
  const scenariosJson = JSON.stringify(loaded, (field, value: unknown) => {
    if (typeof value !== 'string' || !htmlField.test(field)) return value;
    return String(texts.push(value) - 1);
  });
  return { scenariosJson, texts };
}

/** Returns scenarios in the engine's order: by bug number. */
export async function loadScenarios(scenariosFolder: string): Promise<BugScenario[]> {
  const manifests = await readManifests(scenariosFolder);
  const servers = await readServers(scenariosFolder);
  const reproduction = readStored(scenariosFolder, 'reproduction') as Record<string, StoredReproduction>;
  return Promise.all(
    manifests.map(async (manifest) => {
      const story = readFileSync(path.join(scenariosFolder, manifest.id, 'story.md'), 'utf8');
      return {
        manifest,
        story_html: storyHtml(story, `scenarios/${manifest.id}/story.md`),
        lesson: readLesson(scenariosFolder, manifest, servers),
        reproduction: reproduction[manifest.id]?.figures.rows ?? [],
        front_run: readFrontRun(scenariosFolder, manifest),
        stage: await readStageSummary(scenariosFolder, manifest),
        last_seen: await readLastSeen(scenariosFolder, manifest),
      };
    }),
  );
}

/** Returns null if the scenario has no lesson. */
function readLesson(scenariosFolder: string, manifest: BugManifest, servers: Servers): Lesson | null {
  const file = path.join(scenariosFolder, manifest.id, 'lesson.md');
  if (!existsSync(file)) return null;
  return parseLesson(readFileSync(file, 'utf8'), `scenarios/${manifest.id}/lesson.md`, manifest, servers);
}

/**
 * Returns the written part with the figures that `npm run front-page-runs -- --update` stored; null
 * if there is none.
 */
function readFrontRun(scenariosFolder: string, { id }: BugManifest): FrontRun | null {
  const file = path.join(scenariosFolder, id, 'front-run.json');
  const stored = readStored(scenariosFolder, 'front-page')[id]?.figures as FrontFigures | undefined;
  if (!existsSync(file) || stored === undefined) return null;
  const { runs, ...stated } = JSON.parse(readFileSync(file, 'utf8')) as FrontRun;
  return { ...stated, runs: runs.map((run, i) => ({ ...run, intervals: stored.curves[i]! })) };
}

/** Returns null if the stage is not recorded yet. */
async function readStageSummary(
  scenariosFolder: string,
  manifest: BugManifest,
): Promise<StageSummary | null> {
  const stored = readStored(scenariosFolder, 'stage')[manifest.id]?.figures as StoredStageCourse | undefined;
  if (stored === undefined) return null;
  const { headline, sentence, rate, numbers } = (await readStage(manifest)) as StageStory;
  const shown = numbers.map(({ title, figure }) => ({ title, figure }));
  return { headline, sentence, rate, numbers: shown, values: stored.numbers };
}

interface StoredReproduction {
  figures: { rows: ReproductionRow[] };
}

interface FrontFigures {
  curves: FrontRun['runs'][number]['intervals'][];
}
