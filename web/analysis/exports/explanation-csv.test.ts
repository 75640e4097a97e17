import { csvParse } from 'd3-dsv';
import { expect, test } from 'vitest';

import { drawn_explanation } from '../../contract/explanation-fixture';
import { explanationColumns, explanationCsv } from './explanation-csv';

test('each part is a row, and what was behind it follows', () => {
  const csv = explanationCsv(drawn_explanation);
  expect(csv.split('\n')[0]).toBe(explanationColumns.join(','));
  const rows = csvParse(csv);
  expect(rows.map(({ depth, thread, state, ps }) => `${depth} ${thread} ${state} ${ps}`)).toEqual([
    '0 client 0 running 10000000',
    '0 client 0 waiting 20000000',
    '1 client 1 spinning 20000000',
    '2 client 2 sleeping 20000000',
    '0 client 0 waiting 10000000',
    '0 client 0 running 10000123',
  ]);
  expect(rows[1]).toMatchObject({
    latch: 'fil_system->mutex',
    site: 'fil_space_get_version',
    behind: 'holder',
    behind_thread: 'client 1',
    behind_site: 'fil_io',
    function: '',
  });
  expect(rows.at(-2)).toMatchObject({ behind: 'nobody', behind_thread: '' });
});
