import { expect, test } from 'vitest';

import { compiled } from '../../analysis/workload-language/test-fixtures';
import { templateIds } from './template-ids';
import { templateNames } from './template-names';
import { allTemplates, sourceOfTemplate } from './templates';

test('every template is listed once', () => {
  expect(templateNames.map(({ id }) => id)).toEqual(templateIds);
  expect(templateIds.toSorted()).toEqual(allTemplates.toSorted());
});

test.each(templateNames)('$id compiles, has the listed title and a design to compare with', (listed) => {
  const { title, designs, knobs, parameters } = compiled(sourceOfTemplate(listed.id)!);
  expect(title).toBe(listed.title);
  expect(designs.map(({ id }) => id)).toEqual(['original', 'fixed']);
  expect(designs[0]!.variants).not.toEqual(designs[1]!.variants);
  expect(knobs.every(({ id, question }) => question !== id)).toBe(true);
  expect(parameters.every(({ id, title: words }) => words !== id)).toBe(true);
});

test.each(templateNames)('$id fits on a screen and begins with what it shows', ({ id }) => {
  const lines = sourceOfTemplate(id)!.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(45);
  expect(lines[0]).toMatch(/^\/\/ /);
  expect(lines.every((line) => line.length <= 90)).toBe(true);
});
