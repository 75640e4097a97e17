// Reads and checks the exercises, the latches with their literature, and the language reference of
// the lab for the page.
import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { Marked } from 'marked';

import { EXERCISES, readExercises } from '../../tools/lab-exercises.mjs';
import { readLatches, readLiterature, sourceOfLatch } from '../../tools/lab-latches.mjs';
import { repository } from '../../tools/processes.mjs';
import { START, type ExerciseCheck, type LabExercise, type ShownExercise } from '../contract/lab-exercise.ts';
import type { LabLatch, LatchLiterature } from '../contract/lab-latches.ts';
import { foreignParts } from './foreign-markdown.ts';
import { virtualModules, type ModuleContent } from './virtual-modules.ts';

const LATCHES_FILE = path.join(repository, 'lab/latches/latches.json');
const LITERATURE_FILE = path.join(repository, 'lab/literature.json');
const LANGUAGE_FILE = path.join(repository, 'docs/reference/latch-language.md');
/** The start page shows its program, which is wrong at a glance. */
const EXERCISE_OF_START_PAGE = '02-test-and-set';
const [HELP_FROM, HELP_TO] = ['## An example', '## Errors'];

/** Faults in the texts of exercises, one per line: file, value, and the allowed values. */
export class ExerciseTextError extends Error {}

const MODULES: Record<string, () => Promise<ModuleContent>> = {
  'virtual:lab-exercises': async () => {
    const { exercises, referenceLatches } = await loadExercises();
    const files = exercises.flatMap(({ id }) =>
      ['exercise.json', 'text.md', 'start.latch', 'model.latch'].map((file) =>
        path.join(EXERCISES, id, file),
      ),
    );
    return { files, exported: { exercises, reference_latches: referenceLatches } };
  },
  'virtual:lab-latches': async () => ({
    files: [LATCHES_FILE, LITERATURE_FILE],
    exported: await loadLatches(),
  }),
  'virtual:lab-names': async () => ({
    files: [LATCHES_FILE, path.join(EXERCISES, EXERCISE_OF_START_PAGE, 'start.latch')],
    exported: {
      latch_names: (await readLatches()).map(({ latch }) => latch),
      exercise_names: (await readExercises()).map(({ id }) => id),
      program_to_break: {
        exercise: EXERCISE_OF_START_PAGE,
        source: await readFile(path.join(EXERCISES, EXERCISE_OF_START_PAGE, 'start.latch'), 'utf8'),
      },
    },
  }),
  'virtual:latch-help': async () => {
    const document = await readFile(LANGUAGE_FILE, 'utf8');
    return { files: [LANGUAGE_FILE], exported: { html: latchHelpHtml(document) } };
  },
};

/** Provides the virtual modules of the lab, with texts as HTML. */
export const labModules = () => virtualModules('lab-modules', MODULES);

/** Also returns the sources of the lab/latches that checks compare with, by name. */
export async function loadExercises(): Promise<{
  exercises: ShownExercise[];
  referenceLatches: Record<string, string>;
}> {
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

export async function loadLatches(): Promise<{
  latches: LabLatch[];
  literature: Record<string, LatchLiterature[]>;
}> {
  const { sources, claims } = await readLiterature();
  const citedOf = (id: string) => sources.find((source) => source.id === id)!.cited;
  const literature: Record<string, LatchLiterature[]> = {};
  for (const { id, sources: of, where, says, latches, holds } of claims)
    (literature[latches[0]!] ??= []).push({
      claim: id,
      says,
      cited: of.map(citedOf).join('; '),
      where,
      holds,
    });
  return { latches: await readLatches(), literature };
}

export function latchHelpHtml(document: string): string {
  const [from, to] = [document.indexOf(`${HELP_FROM}\n`), document.indexOf(`${HELP_TO}\n`)];
  if (from < 0 || to < from)
    throw new Error(`docs/reference/latch-language.md has no "${HELP_FROM}" before a "${HELP_TO}".`);
  return new Marked().parse(document.slice(from, to), { async: false });
}
