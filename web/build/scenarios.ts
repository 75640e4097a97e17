import { readFileSync } from 'node:fs';
import path from 'node:path';

import { marked } from 'marked';
import type { Plugin } from 'vite';

import { readManifests } from '../../tools/scenario-manifests.mjs';
import type { Scenario } from '../state/manifest';

const VIRTUAL_ID = 'virtual:scenarios';

/** Makes `import { scenarios } from 'virtual:scenarios'` yield every scenario folder, checked, stories as HTML. */
export function scenarios(scenarios_folder: string): Plugin {
  return {
    name: 'latchscope:scenarios',
    resolveId: (id) => (id === VIRTUAL_ID ? `\0${VIRTUAL_ID}` : null),
    async load(id) {
      if (id !== `\0${VIRTUAL_ID}`) return null;
      this.addWatchFile(path.join(scenarios_folder, 'manifest.schema.json'));
      const loaded = await loadScenarios(scenarios_folder);
      for (const { manifest } of loaded) {
        for (const file of ['manifest.json', 'story.md']) {
          this.addWatchFile(path.join(scenarios_folder, manifest.id, file));
        }
      }
      return `export const scenarios = ${JSON.stringify(loaded)};`;
    },
  };
}

/** In the engine's order: by bug number. */
export async function loadScenarios(scenarios_folder: string): Promise<Scenario[]> {
  const manifests = await readManifests(scenarios_folder);
  return manifests.map((manifest) => {
    const story = readFileSync(path.join(scenarios_folder, manifest.id, 'story.md'), 'utf8');
    return { manifest, story_html: marked.parse(story, { async: false }) };
  });
}
