import { readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

import { loadScenarios, manifestErrors } from './scenarios.ts';

const scenarios_folder = path.join(import.meta.dirname, '../../scenarios');
const readJson = (...parts: string[]) =>
  JSON.parse(readFileSync(path.join(scenarios_folder, ...parts), 'utf8')) as Record<string, unknown>;

test('every scenario is fit for its schema and has a story', () => {
  const loaded = loadScenarios(scenarios_folder);
  expect(loaded.map(({ manifest }) => manifest.bug)).toContain(69276);
  for (const { story_html } of loaded) expect(story_html).toMatch(/^<p>/);
});

describe('a manifest that does not fit is refused by field, value and what is allowed', () => {
  const schema = readJson('manifest.schema.json');
  const folder = 'fil-mutex-69276';
  const good = readJson(folder, 'manifest.json');
  const [first_parameter] = good.parameters as object[];

  test.each<[string, Record<string, unknown>, string]>([
    ['a missing field', { bug: undefined }, 'manifest.bug is nothing'],
    ['an unknown field', { colour: 'red' }, 'manifest.colour is a value; allowed: no field of this name'],
    ['a wrong type', { bug: 'x' }, 'bug is "x"; allowed: must be integer'],
    ['another version', { schema_version: 2 }, 'schema_version is 2'],
    ['another id than its folder', { id: 'other' }, `id is other; allowed: ${folder}`],
    [
      'a default out of range',
      { parameters: [{ ...first_parameter, default: 1000 }] },
      'parameters[0].default is 1000; allowed: 1 to 64',
    ],
    [
      'bounds in disorder',
      { threads: { min: 9, max: 3, default: 3 } },
      'threads.min is 9; allowed: at most max, 3',
    ],
    [
      'a design with an unknown variant',
      { designs: { original: { tablespace_lookup: 'global_mutex' }, fixed: { tablespace_lookup: 'magic' } } },
      'designs.fixed.tablespace_lookup is magic; allowed: one of global_mutex',
    ],
    [
      'a design with an unknown knob',
      { designs: { ...(good.designs as object), extra: { tablespace_lookup: 'atomic_word', purge: 'x' } } },
      'designs.extra.purge is x; allowed: a knob: tablespace_lookup',
    ],
  ])('%s', (_, change, message) => {
    const manifest = JSON.parse(JSON.stringify({ ...good, ...change })) as unknown;
    expect(manifestErrors(manifest, schema, folder).join('\n')).toContain(message);
  });
});
