// @ts-check
// Formats the errors of a latch or workload for a terminal.

/**
 * Formats each error with its source line and a line of carets under the error.
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
      const pointer =
        line.slice(0, error.column - 1).replaceAll(/[^\t]/g, ' ') +
        '^'.repeat(Math.max(1, last - error.column));
      return `${file}:${error.line}:${error.column}: ${error.sentence}\n${line}\n${pointer}`;
    })
    .join('\n');
}
