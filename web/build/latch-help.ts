// Converts the language reference in docs/reference/latch-language.md to HTML for the page.
import { readFileSync } from 'node:fs';

import { Marked } from 'marked';
import type { Plugin } from 'vite';

const VIRTUAL_ID = 'virtual:latch-help';
const [FROM, TO] = ['## An example', '## Errors'];

/** Provides `import { html } from 'virtual:latch-help'`. */
export function latchHelp(file: string): Plugin {
  return {
    name: 'latchscope:latch-help',
    resolveId: (id) => (id === VIRTUAL_ID ? `\0${VIRTUAL_ID}` : null),
    load(id) {
      if (id !== `\0${VIRTUAL_ID}`) return null;
      this.addWatchFile(file);
      return `export const html = ${JSON.stringify(latchHelpHtml(readFileSync(file, 'utf8')))};`;
    },
  };
}

export function latchHelpHtml(document: string): string {
  const [from, to] = [document.indexOf(`${FROM}\n`), document.indexOf(`${TO}\n`)];
  if (from < 0 || to < from)
    throw new Error(`docs/reference/latch-language.md has no "${FROM}" before a "${TO}".`);
  return new Marked().parse(document.slice(from, to), { async: false });
}
