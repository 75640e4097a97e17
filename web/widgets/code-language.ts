// Supports the languages of latches and workloads in the editor: colors, completion, and errors at
// their lines.
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import {
  continuedIndent,
  HighlightStyle,
  indentNodeProp,
  LRLanguage,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { linter, type Diagnostic } from '@codemirror/lint';
import type { EditorState, Extension } from '@codemirror/state';
import { hoverTooltip, type EditorView, type Tooltip } from '@codemirror/view';
import { styleTags, tags } from '@lezer/highlight';

import type { LabError } from '../analysis/latch-language/lab-error';
import { parser } from '../analysis/latch-language/latch-parser';

export interface OfferedWord {
  label: string;
  detail?: string;
  type: 'keyword' | 'function' | 'constant' | 'variable' | 'type';
  boost?: number;
}

/** The place of the cursor. */
export interface CursorPlace {
  /** The text of its line, as far as the cursor. */
  line: string;
  /** Returns the names that the source declares elsewhere, by the names of their nodes. */
  declared: (nodes: readonly string[]) => string[];
}

export interface CodeLanguage {
  /** Its top rule in the grammar. */
  top: 'Latch' | 'Workload';
  wordsAt: (place: CursorPlace) => readonly OfferedWord[];
  /** Units that may follow the digits of a number. */
  units: readonly OfferedWord[];
  /** Words that the editor explains under the pointer. */
  explained: readonly OfferedWord[];
  errorsOf: (source: string) => Promise<readonly LabError[]>;
}

const highlighting = styleTags({
  'word line thread const void uint duration size if else while for break continue return threads at most':
    tags.keyword,
  'workload unit param from to knob design latch transaction in hold shared exclusive try repeat':
    tags.keyword,
  'kind counter device every once action at_end condition queue barrier': tags.keyword,
  'Callee FunctionName OwnFunctionName': tags.function(tags.name),
  'WordName ConstantName LocalName ParameterName KnobName VariantName DesignName LatchName GroupName':
    tags.definition(tags.name),
  'KindName CounterName DeviceName ActionName ConditionName QueueName BarrierName': tags.definition(
    tags.name,
  ),
  Number: tags.number,
  String: tags.string,
  'LineComment BlockComment': tags.comment,
});

/** Other blocks begin with their bracket, and are indented without this. */
const indentation = indentNodeProp.add({
  'Knob Design Kind LineDeclaration': continuedIndent({ except: /^\s*\}/ }),
});

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--code-keyword)' },
  { tag: tags.function(tags.name), color: 'var(--code-name)' },
  { tag: tags.definition(tags.name), fontWeight: '650' },
  { tag: [tags.number, tags.string], color: 'var(--code-value)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
]);

/** Returns what the editor needs for a language. */
export function supportOf(language: CodeLanguage): Extension {
  const support = LRLanguage.define({
    parser: parser.configure({ top: language.top, props: [highlighting, indentation] }),
    languageData: { commentTokens: { line: '//', block: { open: '/*', close: '*/' } } },
  });
  return [
    support,
    support.data.of({ autocomplete: (context: CompletionContext) => complete(context, language) }),
    syntaxHighlighting(colors),
    hoverTooltip((view, pos) => helpAt(view, pos, language)),
    linter(async ({ state }) => (await language.errorsOf(state.doc.toString())).map(diagnosticOf)),
  ];
}

const inText = /^(String|LineComment|BlockComment)$/;
const nodeAt = (state: EditorState, pos: number) => syntaxTree(state).resolveInner(pos, -1).name;

/** Explains the word at a position; null in comments and texts, and for other words. */
function helpAt({ state }: EditorView, pos: number, { explained }: CodeLanguage): Tooltip | null {
  const word = state.wordAt(pos);
  if (word === null || inText.test(nodeAt(state, word.to))) return null;
  const name = state.sliceDoc(word.from, word.to);
  const found = explained.find(({ label, detail }) => label === name && detail !== undefined);
  if (found === undefined) return null;
  return { pos: word.from, end: word.to, above: true, create: () => ({ dom: helpOf(found) }) };
}

function helpOf({ label, detail = '' }: OfferedWord): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'cm-help';
  const name = document.createElement('strong');
  name.textContent = label;
  dom.append(name, `${detail.startsWith('(') ? '' : ' '}${detail}`);
  return dom;
}

function complete(context: CompletionContext, { wordsAt, units }: CodeLanguage): CompletionResult | null {
  if (nodeAt(context.state, context.pos).endsWith('Comment')) return null;
  const quoted = context.matchBefore(/"[\w/-]*/);
  if (quoted !== null) {
    const { from, text } = quoted;
    const line = context.state.sliceDoc(context.state.doc.lineAt(from).from, from + text.length);
    return { from: from + 1, options: wordsAt({ line, declared: () => [] }), validFor: /^[\w/-]*$/ };
  }
  const typed = context.matchBefore(/[\w.]+/);
  if (typed !== null && /^\d/.test(typed.text)) {
    const letters = /[a-zA-Z]*$/.exec(typed.text)![0].length;
    if (units.length === 0 || (letters === 0 && !context.explicit)) return null;
    return { from: context.pos - letters, options: units, validFor: /^[a-zA-Z]*$/ };
  }
  if (typed === null && !context.explicit) return null;
  const { state, pos } = context;
  const line = state.sliceDoc(state.doc.lineAt(pos).from, pos);
  const options = wordsAt({ line, declared: (nodes) => declaredNames(context, nodes) });
  return { from: typed?.from ?? pos, options, validFor: /^\w*$/ };
}

function declaredNames({ state, pos }: CompletionContext, nodes: readonly string[]): string[] {
  const declared = new Set<string>();
  syntaxTree(state).iterate({
    enter: ({ name, from, to }) => {
      if (nodes.includes(name) && to !== pos) declared.add(state.sliceDoc(from, to));
    },
  });
  return [...declared];
}

/** Returns the sentence of an error with a capital letter, and a full stop unless it ends with code. */
export const sentenceOf = ({ sentence }: Pick<LabError, 'sentence'>) =>
  `${sentence[0]!.toUpperCase()}${sentence.slice(1)}${/[.?!;}]$/.test(sentence) ? '' : '.'}`;

const diagnosticOf = (error: LabError): Diagnostic => ({
  from: error.from,
  to: error.to,
  severity: 'error',
  message: sentenceOf(error),
  actions:
    error.suggestion === undefined
      ? []
      : [
          {
            name: `Write ${error.suggestion}`,
            apply: (view, from, to) => view.dispatch({ changes: { from, to, insert: error.suggestion! } }),
          },
        ],
});
