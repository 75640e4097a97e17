// Extracts the text of one function without comments and white space, to detect changes.
import type { LabFunction } from '../../contract/latch-program.ts';
import { parser } from './latch-parser.ts';
import { readTree } from './syntax-tree.ts';

/** Returns null if the source has no such function. REQUIRES: a source without errors. */
export function functionText(source: string, name: LabFunction): string | null {
  const tree = parser.parse(source);
  const place = readTree(tree, source).functions.find(({ named }) => named.name === name);
  if (place === undefined) return null;
  let [text, end] = ['', place.from];
  tree.iterate({
    ...{ from: place.from, to: place.to },
    enter: (node) => {
      if (!node.name.endsWith('Comment')) return;
      text += source.slice(end, Math.max(end, node.from));
      end = Math.max(end, node.to);
    },
  });
  return (text + source.slice(end, place.to)).replaceAll(/\s+/g, '');
}
