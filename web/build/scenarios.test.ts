import path from 'node:path';

import { expect, test } from 'vitest';

import { loadScenarios, textsApart } from './scenarios.ts';

const scenariosFolder = path.join(import.meta.dirname, '../../scenarios');

test('every scenario has a story, and the oldest bug comes first', async () => {
  const loaded = await loadScenarios(scenariosFolder);
  const bugs = loaded.map(({ manifest }) => manifest.bug);
  expect(bugs[0]).toBe(69276);
  expect(bugs).toEqual([...bugs].sort((a, b) => a - b));
  for (const { story_html } of loaded) expect(story_html).toMatch(/^<p>/);
});

test('texts are apart from the scenarios, each in the place of its number', async () => {
  const loaded = await loadScenarios(scenariosFolder);
  const { scenariosJson, texts } = textsApart(loaded);
  for (const text of texts) expect(scenariosJson).not.toContain(JSON.stringify(text));
  const putBack: unknown = JSON.parse(scenariosJson, (field, value: unknown) =>
    field.endsWith('html') ? texts[Number(value)] : value,
  );
  expect(putBack).toEqual(JSON.parse(JSON.stringify(loaded)));
});

test('a folder that holds no scenarios is refused', async () => {
  await expect(loadScenarios(path.join(scenariosFolder, 'fil-mutex-69276'))).rejects.toThrow();
});
