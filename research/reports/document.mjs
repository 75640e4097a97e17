// docs/explanation/more-reports.md: the prose is written by hand, the table by npm run evidence --
// reports --update.
import { between } from '../../tools/written-contract.mjs';

export const DOCUMENT = 'docs/explanation/more-reports.md';
const TABLE = 'reports';

/** @type {Record<import('../../web/contract/scenario-files/more-reports').Verdict, string>} */
export const VERDICTS = {
  inside: 'inside',
  outside: '**outside**',
  predicts_nothing: 'predicts nothing',
  not_comparable: 'not comparable',
};

/** @param {{ low: number, high?: number } | undefined} ratio */
export function ratioInWords(ratio) {
  if (ratio === undefined) return '–';
  if (ratio.high === undefined) return `more than ${ratio.low}`;
  return ratio.high === ratio.low ? String(ratio.low) : `${ratio.low} to ${ratio.high}`;
}

/**
 * @param {string} text of the document
 * @param {import('../../web/contract/scenario-files/more-reports').MoreReport[]} reports
 * @param {Map<string, import('../../web/contract/scenario-files/more-reports').ReportFigures>} figures
 *   by id; a report without figures is left out
 */
export function documentWith(text, reports, figures) {
  const rows = reports
    .filter(({ id }) => figures.has(id))
    .map(({ id, label, url, reported }) => {
      const { band, verdict, within, latch_share: share } = figures.get(id);
      return [
        `[${label}](${url})`,
        `[\`${id}\`](../../scenarios/more-reports/${id}.workload)`,
        ratioInWords(reported.ratio),
        `${band[0]} to ${band[1]}`,
        within === null ? '–' : within ? 'yes' : 'no',
        VERDICTS[verdict],
        share === null ? '–' : share.map((one) => `${Math.round(one * 100)} %`).join(' to '),
      ];
    });
  const head = [
    'report',
    'workload',
    'reported',
    'band',
    'report in it',
    'verdict',
    'time lost to the latch',
  ];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return between(text, TABLE, lines.join('\n'), DOCUMENT);
}
