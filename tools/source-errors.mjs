// @ts-check
// Formats the errors of a latch or workload for a terminal.

const SHOWN_MAX = 120;

/**
 * Formats each error with its source line and a line of carets under the error. Of a long line it
 * shows the part around the error.
 * @param {string} file
 * @param {string} source
 * @param {import('../web/analysis/latch-language/lab-error').LabError[]} errors
 */
export function describeErrors(file, source, errors) {
  const lines = source.split('\n');
  return errors
    .map((error) => {
      const line = lines[error.line - 1] ?? '';
      const last = error.endLine === error.line ? error.endColumn : line.length + 1;
      const carets = Math.max(1, last - error.column);
      const { text, column } = aroundColumn(line, error.column - 1);
      const indent = text.slice(0, column).replaceAll(/[^\t]/g, ' ');
      const pointer = indent + '^'.repeat(Math.min(carets, Math.max(1, text.length - column)));
      return `${file}:${error.line}:${error.column}: ${error.sentence}\n${text}\n${pointer}`;
    })
    .join('\n');
}

/**
 * Cuts a long line to the part around a column, from 0. An ellipsis marks each end that is cut.
 * @param {string} line
 * @param {number} column
 */
function aroundColumn(line, column) {
  if (line.length <= SHOWN_MAX) return { text: line, column };
  const start = Math.max(0, Math.min(column - SHOWN_MAX / 2, line.length - SHOWN_MAX));
  const before = start > 0 ? '...' : '';
  const after = start + SHOWN_MAX < line.length ? '...' : '';
  return {
    text: before + line.slice(start, start + SHOWN_MAX) + after,
    column: column - start + before.length,
  };
}
