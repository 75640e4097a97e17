// Reads scenarios/more-reports/: the reports and their workload files.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { duplicates, fault, oneOf } from '../../tools/field-faults.mjs';
import { readChecked } from '../../tools/scenario-files.mjs';
import { MORE_REPORTS, readServers, reportIds, SCENARIOS } from '../../tools/scenario-manifests.mjs';
import { workloadLanguage } from '../../tools/workload-language.mjs';
import { readFamilies } from '../reproduce/server-search.mjs';

/**
 * @typedef {import('../../web/contract/scenario-files/more-reports').MoreReports} MoreReports
 * @typedef {import('../../web/contract/scenario-files/more-reports').MoreReport} MoreReport
 * @typedef {import('../../web/contract/workload-program').WorkloadProgram} WorkloadProgram
 * @typedef {{ name: string, values: Record<string, number> }} PlausibleServer `name` such as
 *   `epyc-milan, low costs`; `values` by field of a run spec
 */

const FILE = `scenarios/${MORE_REPORTS}/reports.json`;

/** Starts from the field's defaults, so that a family's own values are all that differs. */
const BASED_ON = 'server-2025';

export const sourceFileOf = ({ id }) => `scenarios/${MORE_REPORTS}/${id}.workload`;

/** @returns {Promise<MoreReports>} */
export const readReports = (scenarios = SCENARIOS) =>
  readChecked('more-reports', join(scenarios, MORE_REPORTS, 'reports.json'), FILE, async (document) => {
    const families = await readFamilies(scenarios, await readServers(scenarios));
    return faultsBeyondSchema(document, families, reportIds(scenarios));
  });

/** @returns {string[]} errors that a schema cannot find */
export function faultsBeyondSchema({ servers, reports }, families, files) {
  const known = families.map(({ id }) => id);
  const ids = reports.map(({ id }) => id);
  return [
    ...servers
      .filter(({ family }) => !known.includes(family))
      .map(({ family }) => fault('servers.family', family, oneOf(known))),
    ...duplicates(ids).map((id) => fault('reports', id, 'each id once in the list')),
    ...ids.filter((id) => !files.includes(id)).map((id) => fault('reports.id', id, oneOf(files))),
    ...files.filter((id) => !ids.includes(id)).map((id) => fault('reports', id, 'each workload file')),
    ...reports.flatMap(({ id, reported: { ratio } }) =>
      ratio?.high !== undefined && ratio.high < ratio.low
        ? [fault(`reports.${id}.reported.ratio.high`, ratio.high, `at least low, ${ratio.low}`)]
        : [],
    ),
  ];
}

/** @returns {Promise<{ source: string, program: WorkloadProgram }>} throws for a source with errors */
export async function compiledSource(report, scenarios = SCENARIOS) {
  const source = readFileSync(join(scenarios, MORE_REPORTS, `${report.id}.workload`), 'utf8');
  const { compileWorkload } = await workloadLanguage();
  const { program, errors } = compileWorkload(source);
  if (errors)
    throw new Error(
      errors.map(({ line, sentence }) => `${sourceFileOf(report)}:${line}: ${sentence}`).join('\n'),
    );
  return { source, program };
}

/** Returns a digest of the workload file and of the conditions under which it runs. */
export function inputsOf(
  { threads, sizes, seconds, seeds, measure, actions, before, after, corners },
  servers,
  source,
) {
  const conditions = { threads, sizes, seconds, seeds, measure, actions, before, after, corners, servers };
  return createHash('sha256').update(JSON.stringify({ conditions, source })).digest('hex').slice(0, 16);
}

/**
 * Returns the servers of a report. Where the report does not state a size, every other server has
 * the second one.
 * @param {MoreReport} report
 * @param {MoreReports['servers']} servers
 * @param {import('../../web/contract/scenario-files/plausible-servers').Family[]} families
 * @returns {PlausibleServer[]}
 */
export const serversOf = ({ sizes }, servers, families) =>
  servers.map(({ family: id, costs }, i) => {
    const { values, ranges } = families.find((family) => family.id === id);
    const ofRanges = Object.entries(ranges).map(([field, all]) => [field, valueIn(all, costs)]);
    return {
      name: `${id}, ${costs} costs`,
      values: {
        based_on: BASED_ON,
        ...values,
        ...Object.fromEntries(ofRanges),
        ...sizes[i % sizes.length],
      },
    };
  });

function valueIn(range, costs) {
  const sorted = range.toSorted((a, b) => a - b);
  if (costs !== 'middle') return sorted.at(costs === 'low' ? 0 : -1);
  const half = (sorted.length - 1) / 2;
  return Math.round((sorted[Math.floor(half)] + sorted[Math.ceil(half)]) / 2);
}

/**
 * Returns every combination of the lowest and the highest value of the report's parameters, in their
 * units.
 * @param {MoreReport} report
 * @param {WorkloadProgram} program
 * @returns {Record<string, number>[]}
 */
export const cornersOf = ({ corners }, { parameters }) =>
  corners.reduce(
    (soFar, id) => {
      const { min, max } = parameters.find((parameter) => parameter.id === id);
      return soFar.flatMap((corner) => [
        { ...corner, [id]: min },
        { ...corner, [id]: max },
      ]);
    },
    [{}],
  );
