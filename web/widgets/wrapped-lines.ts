import { countColumn, RangeSetBuilder, type EditorState, type Extension } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  ViewPlugin,
  type DecorationSet,
  type PluginValue,
  type ViewUpdate,
} from '@codemirror/view';

const CONTINUED_COLUMNS = 4;
/** A continuation has most of a narrow editor, however deep its line begins. */
const COLUMNS_MAX = 16;

const linesByColumns = Array.from({ length: COLUMNS_MAX + 1 }, (_, columns) =>
  Decoration.line({
    attributes: { style: `text-indent: -${columns}ch; padding-left: calc(${columns}ch + 6px)` },
  }),
);

/** Returns where the continuation of a line begins: in a comment below its words, else further in. */
export function columnsOfContinuation(text: string, tabSize: number): number {
  const [before, slashes] = /^\s*(\/\/\s*)?/.exec(text)!;
  const columns = countColumn(before, tabSize) + (slashes === undefined ? CONTINUED_COLUMNS : 0);
  return Math.min(columns, COLUMNS_MAX);
}

function linesIn(state: EditorState, { from, to }: { from: number; to: number }): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>();
  for (let pos = from; pos <= to;) {
    const line = state.doc.lineAt(pos);
    lines.add(line.from, line.from, linesByColumns[columnsOfContinuation(line.text, state.tabSize)]!);
    pos = line.to + 1;
  }
  return lines.finish();
}

class Continuations implements PluginValue {
  lines: DecorationSet;

  constructor({ state, viewport }: EditorView) {
    this.lines = linesIn(state, viewport);
  }

  update({ docChanged, viewportChanged, state, view }: ViewUpdate): void {
    if (docChanged || viewportChanged) this.lines = linesIn(state, view.viewport);
  }
}

/** Continues long lines below, indented, so that each line is seen to begin. */
export const wrappedLines: Extension = [
  EditorView.lineWrapping,
  ViewPlugin.fromClass(Continuations, { decorations: ({ lines }) => lines }),
];
