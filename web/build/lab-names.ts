import path from 'node:path';

import type { Plugin } from 'vite';

import { readExercises } from '../../tools/lab-exercises.mjs';
import { readLatches } from '../../tools/lab-latches.mjs';
import { repository } from '../../tools/processes.mjs';

const VIRTUAL_ID = 'virtual:lab-names';

/** Provides `virtual:lab-names`: only the names of all lab latches and exercises. */
export function labNames(): Plugin {
  return {
    name: 'latchscope:lab-names',
    resolveId: (id) => (id === VIRTUAL_ID ? `\0${VIRTUAL_ID}` : null),
    async load(id) {
      if (id !== `\0${VIRTUAL_ID}`) return null;
      this.addWatchFile(path.join(repository, 'lab/latches/latches.json'));
      const latches = await readLatches();
      const exercises = await readExercises();
      const names = {
        latch_names: latches.map(({ latch }) => latch),
        exercise_names: exercises.map((exercise) => exercise.id),
      };
      return Object.entries(names)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  };
}
