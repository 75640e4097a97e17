import { expect, test } from 'vitest';

import { parseExperimentInput } from './experiment-input';
import { fil_mutex, machine, scenarios } from '../../contract/test-fixtures';

const spec = { version: 1, scenario: fil_mutex.manifest.id };

test.each(['constructor', 'toString', '__proto__', 'magic'])(
  'the second design %s is named as unknown',
  (name) => {
    expect(parseExperimentInput('comparison', { ...spec, with: name }, scenarios, machine)).toMatchObject({
      ok: false,
      errors: [{ field: 'with.design', value: name }],
    });
  },
);

test('a preset is a second design', () => {
  expect(parseExperimentInput('comparison', { ...spec, with: 'fixed' }, scenarios, machine)).toMatchObject({
    ok: true,
    value: { ofFeatures: { comparisonSettings: { with: fil_mutex.manifest.designs.fixed } } },
  });
});
