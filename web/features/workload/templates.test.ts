import { reports } from 'virtual:scenario-texts/more-reports';
import { expect, test } from 'vitest';

import { compiled } from '../../analysis/workload-language/test-fixtures';
import type { ShownReport } from '../../contract/scenario-files/more-reports';
import { linkedIds, reportIds, templateIds } from './template-ids';
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

test.each(linkedIds)('no comment of %s continues below beside a run', (id) => {
  const comments = sourceOfTemplate(id)!
    .split('\n')
    .filter((line) => /^\s*\/\//.test(line));
  expect(comments.filter((line) => line.length > 55)).toEqual([]);
});

test('every report is a source that a link may name, with its title', () => {
  const shown = reports as readonly ShownReport[];
  expect(shown.map(({ id }) => id)).toEqual(reportIds);
  expect(new Set(linkedIds).size).toBe(linkedIds.length);
  for (const { id, title } of shown) expect(compiled(sourceOfTemplate(id)!).title).toBe(title);
});

test('names of objects are no sources', () => {
  expect(sourceOfTemplate('constructor')).toBeUndefined();
});
