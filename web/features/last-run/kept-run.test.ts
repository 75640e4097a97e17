import { describe, expect, test } from 'vitest';

import type { KeptRun } from '../../contract/kept-run';
import { scenarios } from '../../contract/test-fixtures';
import { keptRunFrom, textOfKeptRun } from './kept-run';

const kept: KeptRun = {
  spec: { scenario: 'fil-mutex-69276', platform: 'virtual', actions: [] },
  result: '{}',
  was_over: true,
  file: null,
  engine: '0.1.0 abc',
};

test('a stored run is read as it was written', () => {
  expect(keptRunFrom(textOfKeptRun(kept), scenarios)).toEqual(kept);
});

describe('what the tab holds is ignored', () => {
  const text = (change: object) => JSON.stringify({ version: 1, ...kept, ...change });
  test.each([
    ['nothing', null],
    ['an empty text', ''],
    ['no JSON', '{"version":1,'],
    ['a list', '[]'],
    ['null', 'null'],
    ['of another version', text({ version: 2 })],
    ['of no version', JSON.stringify(kept)],
    ['without a spec', text({ spec: null })],
    ['of an unknown bug', text({ spec: { scenario: 'nosuch', platform: 'virtual' } })],
    ['of an unknown platform', text({ spec: { scenario: 'fil-mutex-69276', platform: 'moon' } })],
    ['with actions that are no list', text({ spec: { ...kept.spec, actions: 'all' } })],
    ['with a result that is no text', text({ result: {} })],
    ['with a file that is no text', text({ file: 7 })],
    ['with an engine that is no text', text({ engine: undefined })],
    ['that does not say whether the run was over', text({ was_over: 'yes' })],
  ])('if it is %s', (_, stored) => {
    expect(keptRunFrom(stored, scenarios)).toBeNull();
  });
});
