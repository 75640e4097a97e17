// textlint rules for what its packages do not have: the words of a sentence and of a table cell.
import { split, SentenceSplitterSyntax } from 'sentence-splitter';
import { StringSource } from 'textlint-util-to-string';

const wordsIn = (text) => text.split(/\s+/).filter((word) => /\w/.test(word)).length;

/** @param {string} text a paragraph without markup */
export function longSentences(text, max) {
  return split(text)
    .filter(({ type }) => type === SentenceSplitterSyntax.Sentence)
    .flatMap(({ raw, range }) => {
      const words = wordsIn(raw);
      return words > max ? [{ index: range[0], words, text: raw.trim() }] : [];
    });
}

/** Reports sentences of more than `max` words. Code in a sentence counts as one word. */
export const maxWordsOfSentence = ({ Syntax, RuleError, report }, { max }) => ({
  [Syntax.Paragraph](node) {
    const source = new StringSource(node, {
      replacer: ({ node: part, maskValue }) => (part.type === Syntax.Code ? maskValue('x') : undefined),
    });
    for (const { index, words, text } of longSentences(source.toString(), max))
      report(
        node,
        new RuleError(`sentence of ${words} words, at most ${max}: "${text.slice(0, 60)} ..."`, {
          index: source.originalIndexFromIndex(index) ?? 0,
        }),
      );
  },
});

/** Reports table cells of more than `max` words. */
export const maxWordsOfCell = ({ Syntax, RuleError, report, getSource }, { max }) => ({
  [Syntax.TableCell](node) {
    const text = getSource(node);
    const words = wordsIn(text);
    if (words > max)
      report(node, new RuleError(`table cell of ${words} words, at most ${max}: "${text.slice(0, 60)} ..."`));
  },
});
