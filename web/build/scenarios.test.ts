import path from 'node:path';

import { expect, test } from 'vitest';

import { loadScenarios, textsApart } from './scenarios.ts';

const scenarios_folder = path.join(import.meta.dirname, '../../scenarios');

test('every scenario has a story, and the oldest bug comes first', async () => {
  const loaded = await loadScenarios(scenarios_folder);
  const bugs = loaded.map(({ manifest }) => manifest.bug);
  expect(bugs[0]).toBe(69276);
  expect(bugs).toEqual([...bugs].sort((a, b) => a - b));
  for (const { story_html } of loaded) expect(story_html).toMatch(/^<p>/);
});

test('texts are apart from the scenarios, each in the place of its number', async () => {
  const loaded = await loadScenarios(scenarios_folder);
  const { scenarios_json, texts } = textsApart(loaded);
  for (const text of texts) expect(scenarios_json).not.toContain(JSON.stringify(text));
  const put_back: unknown = JSON.parse(scenarios_json, (field, value: unknown) =>
    field.endsWith('html') ? texts[Number(value)] : value,
  );
  expect(put_back).toEqual(JSON.parse(JSON.stringify(loaded)));
});

test('a folder that holds no scenarios is refused', async () => {
  await expect(loadScenarios(path.join(scenarios_folder, 'fil-mutex-69276'))).rejects.toThrow();
});
