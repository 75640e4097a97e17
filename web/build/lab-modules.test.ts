import { expect, test } from 'vitest';

import { all_lab_exercises, lab_reference_latches } from '../contract/all-lab-exercises.ts';
import { ExerciseTextError, loadExercises, shown } from './lab-modules.ts';

test('every exercise has its texts as HTML, and the latches that checks compare with are there', async () => {
  const { exercises, referenceLatches } = await loadExercises();
  expect(exercises.length).toBeGreaterThanOrEqual(10);
  for (const { task_html, hints_html, afterwards_html } of exercises) {
    for (const html of [task_html, ...hints_html, afterwards_html]) expect(html).toMatch(/^<p>/);
  }
  expect(Object.keys(referenceLatches)).toEqual(['test-and-set']);
  expect(referenceLatches['test-and-set']).toMatch(/void enter\(\)/);
});

test('the page imports just these', async () => {
  const { exercises, referenceLatches } = await loadExercises();
  expect(all_lab_exercises).toEqual(exercises);
  expect(lab_reference_latches).toEqual(referenceLatches);
});

test('HTML, pictures and links that do not lead to the web are refused, all at once', () => {
  const text = {
    task: 'A <b>bold</b> word.',
    hints: ['![A picture](x.png)', 'Look [here](https://example.org).'],
    afterwards: '[There](file:///etc).',
  };
  const exercise = { id: '14-mine', title: 'Mine', checks: [], start: '', model: '', text };
  expect(() => shown(exercise)).toThrow(ExerciseTextError);
  expect(() => shown(exercise)).toThrow(
    [
      'lab/exercises/14-mine/text.md: "<b>"; allowed: Markdown, no HTML',
      'lab/exercises/14-mine/text.md: "</b>"; allowed: Markdown, no HTML',
      'lab/exercises/14-mine/text.md: "![A picture](x.png)"; allowed: no pictures',
      'lab/exercises/14-mine/text.md: "[There](file:///etc)"; allowed: links that begin with https://',
    ].join('\n'),
  );
});
