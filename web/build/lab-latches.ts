// Reads and checks the latches of lab/latches and their literature for the page.
import path from 'node:path';

import type { Plugin } from 'vite';

import { readLatches, readLiterature } from '../../tools/lab-latches.mjs';
import { repository } from '../../tools/processes.mjs';
import type { LabLatch, LatchLiterature } from '../contract/lab-latches.ts';

const VIRTUAL_ID = 'virtual:lab-latches';
const files = ['lab/latches/latches.json', 'lab/literature.json'];

export interface LatchesOfPage {
  latches: LabLatch[];
  literature: Record<string, LatchLiterature[]>;
}

/**
 * Provides `virtual:lab-latches`: the checked content of lab/latches/latches.json and
 * lab/literature.json.
 */
export function labLatches(): Plugin {
  return {
    name: 'latchscope:lab-latches',
    resolveId: (id) => (id === VIRTUAL_ID ? `\0${VIRTUAL_ID}` : null),
    async load(id) {
      if (id !== `\0${VIRTUAL_ID}`) return null;
      for (const file of files) this.addWatchFile(path.join(repository, file));
      return Object.entries(await loadLatches())
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
  };
}

export async function loadLatches(): Promise<LatchesOfPage> {
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
