// The text of one function of a source without comments and white space, to see whether it has been changed.
import type { LabFunction } from '../../contract/latch-program.ts';
import { parser } from './latch-parser.ts';
import { readTree } from './syntax-tree.ts';

/** Nothing if the source, which has no errors, has no such function. */
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
