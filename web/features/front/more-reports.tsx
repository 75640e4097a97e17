// Lists public reports that workload files model, with what their bands say. Loaded after the page.
import { reports } from 'virtual:scenario-texts/more-reports';

import { formatFigure, formatRange } from '../../analysis/format';
import type { ShownReport } from '../../contract/scenario-files/more-reports';
import { reportLink } from '../../session/link';

export default function MoreReports() {
  return (
    <section className="more-reports" aria-labelledby="more-reports-title">
      <h2 id="more-reports-title">More reports</h2>
      <p className="more-reports-intro">
        Bugs of MySQL, Linux, Go and others as workload files that you can read and change. No time in them
        was fitted. What all plausible servers and times predict together is a band, and the report may lie
        outside of it.
      </p>
      <ul>
        {(reports as readonly ShownReport[]).map((report) => (
          <li key={report.id}>
            <a href={reportLink(report.id)}>
              <span className="card-bug">{report.label}</span> {report.title}
            </a>
            <p>{report.story.slice(0, 2).join(' ')}</p>
            <p className="more-reports-band">
              <strong className={`more-reports-${report.verdict}`}>{verdictInWords(report)}</strong>{' '}
              {bandInWords(report)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const verdicts: Record<ShownReport['verdict'], string> = {
  inside: 'Inside the band.',
  outside: 'Outside the band.',
  predicts_nothing: 'The band predicts nothing.',
  not_comparable: 'Not comparable: the report gives no ratio.',
};

/** A report beyond a band that predicts nothing is worth knowing: the model lacks something. */
export const verdictInWords = ({ verdict, within }: Pick<ShownReport, 'verdict' | 'within'>) =>
  verdict === 'predicts_nothing' && within === false
    ? 'The band predicts nothing, and the report is beyond it.'
    : verdicts[verdict];

/** Returns the band and the report as multiples. A band without a reported ratio would say nothing. */
export function bandInWords({ band: [low, high], ratio }: Pick<ShownReport, 'band' | 'ratio'>): string {
  if (ratio === undefined) return '';
  const here = low === high ? formatFigure(low) : formatRange([low, high]);
  return `Model ${here} times, report ${reportedInWords(ratio)}`;
}

function reportedInWords({ low, high }: NonNullable<ShownReport['ratio']>): string {
  if (high === undefined) return `more than ${formatFigure(low)}`;
  return low === high ? formatFigure(low) : formatRange([low, high]);
}
