// Wraps CodeMirror in a shadow root as the editor of latches and workloads. There it uses style
// sheets, which the page's content security policy allows. Outside it would add style elements to
// the page's head, which the policy forbids.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { EditorState, RangeSet, StateEffect, StateField, Transaction } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  gutter,
  GutterMarker,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  type DecorationSet,
} from '@codemirror/view';

import { supportOf, type CodeLanguage } from './code-language';
import { wrappedLines } from './wrapped-lines';

const theme = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--ink)',
    backgroundColor: 'var(--panel)',
    fontSize: 'var(--code-size, var(--text-base))',
  },
  // Around the editor, because its gutters would cover an inner outline.
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '0' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'var(--sunken)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLineGutter': { backgroundColor: 'var(--accent-tint)' },
  // The gutters leave the room to the text.
  '.cm-lineNumbers .cm-gutterElement': { paddingRight: '2px' },
  '.cm-gutter-lint': { width: '0.8em' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0.35em 0' },
  '.cm-lint-marker': { width: '0.8em', height: '0.8em' },
  '.cm-figures': { color: 'var(--ink)', fontSize: '0.9em', fontVariantNumeric: 'tabular-nums' },
  // Also while all lines with figures are outside of the window, so that the text stays in place.
  '&.cm-has-figures .cm-figures': { minWidth: '6.5ch' },
  '.cm-figures .cm-gutterElement': { paddingRight: 'var(--space-1)', textAlign: 'right' },
  '.cm-step': { backgroundColor: 'var(--alert-tint)', boxShadow: 'inset 3px 0 var(--alert)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    background: 'var(--accent-tint)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-tint)' },
  '.cm-tooltip': { backgroundColor: 'var(--panel)', color: 'var(--ink)', border: '1px solid var(--line)' },
  '.cm-help': { padding: 'var(--space-1) var(--space-2)', maxWidth: '24rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--accent)',
    color: 'var(--accent-ink)',
  },
  '.cm-panels': { backgroundColor: 'var(--sunken)', color: 'var(--ink)' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--accent)',
    color: 'var(--accent-ink)',
    minHeight: '1.5rem',
  },
});

const stepEffect = StateEffect.define<number | null>();
const stepLine = Decoration.line({ class: 'cm-step', attributes: { 'data-step': '' } });

/** Highlights the line of the shown step. */
const stepField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (decorations, transaction) => {
    const effect = transaction.effects.find((candidate) => candidate.is(stepEffect));
    if (effect === undefined) return transaction.docChanged ? Decoration.none : decorations;
    const { value: line } = effect;
    const { doc } = transaction.state;
    if (line === null || line < 1 || line > doc.lines) return Decoration.none;
    return Decoration.set(stepLine.range(doc.line(line).from));
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** A figure beside a line, with its explanation. */
export interface LineFigure {
  text: string;
  explanation: string;
}

const figuresEffect = StateEffect.define<RangeSet<GutterMarker>>();

class FigureMarker extends GutterMarker {
  constructor(readonly figure: LineFigure) {
    super();
  }

  override eq(other: FigureMarker): boolean {
    return this.figure.text === other.figure.text && this.figure.explanation === other.figure.explanation;
  }

  override toDOM(): Node {
    const { text, explanation } = this.figure;
    const shown = document.createElement('span');
    shown.textContent = text;
    shown.title = explanation;
    return shown;
  }
}

/** A change of the text leaves figures at their lines. */
const figuresField = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update: (figures, transaction) =>
    transaction.effects.find((effect) => effect.is(figuresEffect))?.value ?? figures.map(transaction.changes),
});

interface CodeEditorOptions {
  source: string;
  /** Names the editor for screen readers. */
  label: string;
  language: CodeLanguage;
  /** Long lines continue below instead of scrolling. */
  wraps?: boolean;
  /** Called with each source that the reader writes. */
  onEdit: (source: string) => void;
}

/** Marks changes that the page makes, not the reader. */
const BY_PAGE = 'page';

export class CodeEditor {
  readonly #view: EditorView;

  constructor(host: HTMLElement, { source, label, language, wraps = false, onEdit }: CodeEditorOptions) {
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const place = document.createElement('div');
    place.style.height = '100%';
    root.replaceChildren(place);
    this.#view = new EditorView({
      parent: place,
      root,
      state: EditorState.create({
        doc: source,
        extensions: [
          lineNumbers(),
          lintGutter(),
          highlightActiveLineGutter(),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          autocompletion({ icons: false }),
          indentUnit.of('  '),
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...lintKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          supportOf(language),
          ...(wraps ? [wrappedLines] : []),
          stepField,
          figuresField,
          EditorView.editorAttributes.compute([figuresField], (state) => ({
            class: state.field(figuresField).size === 0 ? '' : 'cm-has-figures',
          })),
          gutter({ class: 'cm-figures', markers: (view) => view.state.field(figuresField) }),
          theme,
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
          EditorView.updateListener.of((update) => {
            const isReaders = update.transactions.some(
              (one) => one.annotation(Transaction.userEvent) !== BY_PAGE,
            );
            if (update.docChanged && isReaders) onEdit(update.state.doc.toString());
          }),
        ],
      }),
    });
    // Makes it focusable, because it scrolls long lines and must also work by keyboard.
    this.#view.scrollDOM.tabIndex = 0;
  }

  /** Shows another source; the reader can undo that. */
  show(source: string): void {
    const { doc } = this.#view.state;
    if (doc.toString() === source) return;
    this.#view.dispatch({ changes: { from: 0, to: doc.length, insert: source }, userEvent: BY_PAGE });
  }

  /** Highlights a line and scrolls to it. */
  showLine(line: number | null): void {
    const { doc } = this.#view.state;
    const isLine = line !== null && line >= 1 && line <= doc.lines;
    const intoView = isLine ? [EditorView.scrollIntoView(doc.line(line).from, { y: 'nearest' })] : [];
    this.#view.dispatch({ effects: [stepEffect.of(line), ...intoView] });
  }

  /** Shows figures beside lines, which count from 1. */
  showFigures(figures: ReadonlyMap<number, LineFigure>): void {
    const { doc } = this.#view.state;
    const markers = [...figures]
      .filter(([line]) => line >= 1 && line <= doc.lines)
      .map(([line, figure]) => new FigureMarker(figure).range(doc.line(line).from));
    this.#view.dispatch({ effects: figuresEffect.of(RangeSet.of(markers, true)) });
  }

  /** Selects a part of the source and moves the focus there. */
  select(from: number, to: number): void {
    const { length } = this.#view.state.doc;
    const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
    this.#view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: 'center' }) });
    this.#view.focus();
  }

  /** Replaces a part of the source as if the reader had typed it. */
  replace(from: number, to: number, insert: string): void {
    this.#view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } });
    this.#view.focus();
  }

  destroy(): void {
    this.#view.destroy();
  }
}
