// Lists the files that the prose linter reads, and its limits.

export const SENTENCE_WORDS_MAX = 25;
export const CELL_WORDS_MAX = 12;

/** Folders and files in which phrases and long sentences are findings. The list only grows. */
const CHECKED = [
  'README.md',
  'CONTRIBUTING.md',
  'docs/',
  'wasm-engine/',
  'tools/',
  'e2e/',
  'lab/',
  'scenarios/',
  'web/',
];

const GENERATED =
  /(^|\/)gen\/|^wasm-engine\/third_party\/|^web\/contract\/(engine-limits|lab-program)\.ts$|^web\/analysis\/latch-language\/latch-parser\.ts$/;

/**
 * @param {string} path from the root of the repository
 * @returns {('markdown' | 'comments' | 'strings')[]} what to read of the file
 */
export function kindsOf(path) {
  if (GENERATED.test(path)) return [];
  if (path.endsWith('.md')) return ['markdown'];
  if (/^(web)\/.*\.tsx?$/.test(path) && !/\.test\.|test-fixtures/.test(path)) return ['comments', 'strings'];
  return /\.(ts|tsx|mjs|cjs|js|cc|h)$/.test(path) ? ['comments'] : [];
}

/** @param {string} path from the root of the repository */
export const isChecked = (path) =>
  CHECKED.some((place) => path === place || (place.endsWith('/') && path.startsWith(place)));
