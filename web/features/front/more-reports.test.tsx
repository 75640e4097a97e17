import { reports } from 'virtual:scenario-texts/more-reports';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import type { ShownReport } from '../../contract/scenario-files/more-reports';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import MoreReports, { bandInWords, verdictInWords } from './more-reports';

const ids = (reports as readonly ShownReport[]).map(({ id }) => id);

test('each report opens its workload, and says what its band says', () => {
  renderView(sessionForTest(), <MoreReports />);
  const entries = within(screen.getByRole('region', { name: 'More reports' })).getAllByRole('listitem');
  expect(entries).toHaveLength(ids.length);
  for (const [i, entry] of entries.entries()) {
    const link = within(entry).getByRole('link');
    expect(link).toHaveAttribute('href', `#v=1&view=workload&workload.template=${ids[i]}`);
    expect(entry).toHaveTextContent(
      /((Inside the band|Outside the band|predicts nothing|is beyond it)\. Model \d)|Not comparable: /,
    );
  }
});

test('a band is named as multiples, beside that of the report', () => {
  expect(bandInWords({ band: [1.2, 3], ratio: { low: 1.5, high: 1.6 } })).toBe(
    'Model 1.2 to 3 times, report 1.5 to 1.6',
  );
  expect(bandInWords({ band: [2, 2], ratio: { low: 2 } })).toBe('Model 2 times, report more than 2');
  expect(bandInWords({ band: [2, 4], ratio: { low: 3, high: 3 } })).toBe('Model 2 to 4 times, report 3');
  expect(bandInWords({ band: [2, 1026], ratio: { low: 2 } })).toMatch(/^Model 2 to 1,026 times/);
  expect(bandInWords({ band: [2, 4], ratio: undefined })).toBe('');
});

test('a report beyond a band that predicts nothing is said to be', () => {
  expect(verdictInWords({ verdict: 'predicts_nothing', within: true })).toBe('The band predicts nothing.');
  expect(verdictInWords({ verdict: 'predicts_nothing', within: false })).toMatch(/beyond it/);
  expect(verdictInWords({ verdict: 'outside', within: false })).toBe('Outside the band.');
});
