// Supports the lab's language in the editor: colors, completion, and errors at their lines.
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { HighlightStyle, LRLanguage, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import { linter, type Diagnostic } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { styleTags, tags } from '@lezer/highlight';

import { builtIns } from '../../analysis/latch-language/constants';
import { parser } from '../../analysis/latch-language/latch-parser';
import { lab_functions } from '../../contract/lab-program';
import { compileLatch } from '../../session/latch-compiler';

const language = LRLanguage.define({
  parser: parser.configure({
    props: [
      styleTags({
        'word line thread const void uint if else while for break continue return threads at most':
          tags.keyword,
        'Callee FunctionName': tags.function(tags.name),
        'WordName ConstantName LocalName': tags.definition(tags.name),
        Number: tags.number,
        'LineComment BlockComment': tags.comment,
      }),
    ],
  }),
  languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } } },
});

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: tags.function(tags.name), color: 'var(--code-name)' },
  { tag: tags.definition(tags.name), fontWeight: '650' },
  { tag: tags.number, color: 'var(--code-value)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
]);

const keywords = [
  'word',
  'thread',
  'line',
  'const',
  'uint',
  'void',
  'if',
  'else',
  'while',
  'break',
  'continue',
  'return',
];
const values: readonly [string, string][] = [
  ['me', 'number of this thread, from 1'],
  ['threads', 'number of threads'],
  ['nobody', '0'],
  ['all', '0xffffffff'],
];

const offered = [
  ...Object.entries(builtIns).map(([label, { parameters }]) => ({
    label,
    detail: `(${parameters.join(', ')})`,
    type: 'function',
  })),
  ...lab_functions.map((label) => ({ label, type: 'function' })),
  ...keywords.map((label) => ({ label, type: 'keyword' })),
  ...values.map(([label, detail]) => ({ label, detail, type: 'constant' })),
];

/** Suggests names that the source declares, in addition to those of the language. */
function complete(context: CompletionContext): CompletionResult | null {
  const typed = context.matchBefore(/[a-zA-Z_]\w*/);
  if (typed === null && !context.explicit) return null;
  const declared = new Set<string>();
  syntaxTree(context.state).iterate({
    enter: ({ name, from, to }) => {
      if (['WordName', 'ConstantName', 'LocalName'].includes(name) && to !== context.pos)
        declared.add(context.state.sliceDoc(from, to));
    },
  });
  const names = [...declared].map((label) => ({ label, type: 'variable', boost: 1 }));
  return { from: typed?.from ?? context.pos, options: [...names, ...offered], validFor: /^\w*$/ };
}

async function diagnosticsOf(source: string): Promise<Diagnostic[]> {
  const { errors = [] } = await compileLatch(source);
  return errors.map(({ from, to, sentence, suggestion }) => ({
    from,
    to,
    severity: 'error',
    message: `${sentence[0]!.toUpperCase()}${sentence.slice(1)}.`,
    actions:
      suggestion === undefined
        ? []
        : [
            {
              name: `Write ${suggestion}`,
              apply: (view, begin, end) =>
                view.dispatch({ changes: { from: begin, to: end, insert: suggestion } }),
            },
          ],
  }));
}

export const latchLanguage: Extension = [
  language,
  language.data.of({ autocomplete: complete }),
  syntaxHighlighting(colors),
  linter(({ state }) => diagnosticsOf(state.doc.toString())),
];
