// Reads and checks the exercises of lab/exercises for the page.
import path from 'node:path';

import { Marked } from 'marked';
import type { Plugin } from 'vite';

import { EXERCISES, readExercises } from '../../tools/lab-exercises.mjs';
import { sourceOfLatch } from '../../tools/lab-latches.mjs';
import { START, type ExerciseCheck, type LabExercise, type ShownExercise } from '../contract/lab-exercise.ts';
import { foreignParts } from './foreign-markdown.ts';

const VIRTUAL_ID = 'virtual:lab-exercises';

/** Faults in the texts of exercises, one per line: file, value, and the allowed values. */
export class ExerciseTextError extends Error {}

export interface ExercisesOfPage {
  exercises: ShownExercise[];
  /** Sources of the lab/latches that checks compare with, by name. */
  referenceLatches: Record<string, string>;
}

/** Provides `virtual:lab-exercises`: the checked content of lab/exercises, with texts as HTML. */
export function labExercises(): Plugin {
  return {
    name: 'latchscope:lab-exercises',
    resolveId: (id) => (id === VIRTUAL_ID ? `\0${VIRTUAL_ID}` : null),
    async load(id) {
      if (id !== `\0${VIRTUAL_ID}`) return null;
      const loaded = await loadExercises();
      for (const exercise of loaded.exercises)
        for (const file of ['exercise.json', 'text.md', 'start.latch', 'model.latch'])
          this.addWatchFile(path.join(EXERCISES, exercise.id, file));
      const exported = { exercises: loaded.exercises, reference_latches: loaded.referenceLatches };
      return Object.entries(exported)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  };
}

export async function loadExercises(): Promise<ExercisesOfPage> {
  const read = await readExercises();
  const names = [...new Set(read.flatMap(({ checks }) => checks.flatMap(referenceOf)))];
  return {
    exercises: read.map(shown),
    referenceLatches: Object.fromEntries(names.map((name) => [name, sourceOfLatch(name)])),
  };
}

function referenceOf(check: ExerciseCheck): string[] {
  if (check.kind !== 'contest') return [];
  const bound = check.at_least ?? check.at_most;
  return typeof bound === 'object' && bound.of !== START ? [bound.of] : [];
}

export function shown({ text, ...exercise }: LabExercise): ShownExercise {
  const marked = new Marked();
  const faults: string[] = [];
  const html = (markdown: string) => {
    const tokens = marked.lexer(markdown);
    for (const { raw, allowed } of foreignParts(marked, tokens))
      faults.push(`lab/exercises/${exercise.id}/text.md: "${raw.split('\n')[0]!}"; allowed: ${allowed}`);
    return marked.parser(tokens);
  };
  const texts = {
    task_html: html(text.task),
    hints_html: text.hints.map(html),
    afterwards_html: html(text.afterwards),
  };
  if (faults.length > 0) throw new ExerciseTextError(faults.join('\n'));
  return { ...exercise, ...texts };
}
