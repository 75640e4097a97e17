// docs/reference/glossary.md repeats the page's definitions.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { all_terms, glossary_terms } from '../../contract/glossary';
import { definitions } from './definitions';

const FILE = join(import.meta.dirname, '../../../docs/reference/glossary.md');

const plain = (text: string) => text.replaceAll('’', "'").replace(/\s+/g, ' ').trim();

/** Name and definition of each term, in the order of the document. */
function documentedTerms(): string[][] {
  const [, ...sections] = readFileSync(FILE, 'utf8').split(/^## /m);
  return sections.map((section) => {
    const [name = '', ...lines] = section.split('\n');
    return [name, plain(lines.join(' '))];
  });
}

test('the document has the same terms with the same definitions, in the same order', () => {
  expect(documentedTerms()).toEqual(all_terms.map((id) => [glossary_terms[id], plain(definitions[id])]));
});

test('terms are sorted by name, and an id is the anchor of its term', () => {
  const names = Object.values(glossary_terms);
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
  const anchors = names.map((name) => name.toLowerCase().replaceAll(' ', '-'));
  expect(all_terms.map((id) => id.replaceAll('_', '-'))).toEqual(anchors);
});

test('each definition has two sentences', () => {
  for (const id of all_terms) expect(definitions[id].match(/[.!?](?= |$)/g), id).toHaveLength(2);
});
