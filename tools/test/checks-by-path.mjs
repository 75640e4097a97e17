// Maps changed files to the checks that they can break. `npm test -- --changed` runs `checks`; it
// only names `later`, which take minutes.

/** Quick checks for each file: they read only the changed files, or take seconds. */
const PAGE = ['architecture', 'types', 'eslint', 'web'];
const ENGINE_LATER = [
  'evidence',
  'adding-a-bug',
  'clang-tidy',
  'engine-tsan',
  'engine-asan',
  'engine-apart',
  'page',
];

/**
 * All rows that match a path apply.
 * @type {{ path: RegExp, checks: string[], later?: string[] }[]}
 */
export const checksByPath = [
  { path: /^web\/.*\.(ts|tsx|mjs)$/, checks: PAGE, later: ['page', 'package'] },
  { path: /^web\/(?!.*\.(ts|tsx|mjs|md)$)/, checks: [], later: ['page'] },
  { path: /^web\/.*\.workload$/, checks: ['web'] },
  { path: /^research\/bench\/.*\.workload$/, checks: [] },
  { path: /^research\/proofs\/.*\.workload$/, checks: ['tools'] },
  { path: /^web\/(build\/|browser\/offline\/|contract\/response-headers)/, checks: ['tools'] },
  { path: /^web\/contract\/real-servers\//, checks: ['tools'], later: ['evidence'] },
  { path: /^e2e\/.*\.ts$/, checks: ['types', 'eslint', 'page'] },
  { path: /^e2e\/automation\.spec\.ts$/, checks: ['tools'] },
  { path: /^e2e\/snapshots\//, checks: [], later: ['page'] },
  { path: /^(examples|tools\/package)\/.*\.ts$/, checks: ['types', 'eslint'] },
  { path: /^examples\//, checks: [], later: ['package'] },
  { path: /^(tools|research)\/.*\.[cm]?js$/, checks: ['eslint', 'tools'] },
  {
    path: /^tools\/(commands\/build|builds|build-folders|build-inputs|wasm-engine|native-engine)/,
    checks: [],
    later: ['engine', 'page'],
  },
  { path: /^tools\/(cli\.mjs|setup|test-hosts|page-server|commands\/serve)/, checks: [], later: ['page'] },
  {
    path: /^tools\/(package|npm-package|node-engine|page-server|program|engine-command|native-engine|check-command|experiments|junit|lab-|workload-|source-errors)/,
    checks: [],
    later: ['package'],
  },
  {
    path: /^(research\/(census|claims|evidence|reports|reproduce)|tools\/(engine-runs|commands\/evidence\.mjs$))/,
    checks: [],
    later: ['evidence'],
  },
  { path: /^examples\/gradescope\//, checks: [], later: ['package'] },
  { path: /^tools\/commands\/check-adding-a-bug/, checks: [], later: ['adding-a-bug'] },
  {
    path: /^wasm-engine\/.*\.(cc|h)$/,
    checks: ['architecture', 'clang-format', 'tools', 'engine', 'engine-virtual'],
    later: ENGINE_LATER,
  },
  {
    path: /^wasm-engine\/(?!.*\.(cc|h|md)$)/,
    checks: ['engine', 'engine-virtual'],
    later: ENGINE_LATER,
  },
  {
    path: /^scenarios\//,
    checks: ['tools', 'web', 'engine'],
    later: ['engine-virtual', 'evidence', 'page'],
  },
  { path: /\.md$/, checks: ['tools'] },
  { path: /^lab\//, checks: ['tools', 'web'] },
  { path: /^docs\/images\//, checks: [] },
  { path: /^research\/real-servers\/.*\.c$/, checks: ['tools'] },
  { path: /^tools\/layers\.json$/, checks: ['architecture', 'tools'] },
  { path: /^docs\/guide\/adding-a-bug\.md$/, checks: [], later: ['adding-a-bug'] },
  { path: /^docs\/(fidelity|explanation\/more-reports)\.md$/, checks: [], later: ['evidence'] },
  { path: /^(package(-lock)?\.json|\.npmrc)$/, checks: [...PAGE, 'tools'], later: ['page'] },
  { path: /^tsconfig.*\.json$/, checks: ['types', 'eslint'], later: ['page'] },
  { path: /^(eslint\.config\.js|playwright\.config\.ts|vite\.config\.ts)$/, checks: ['types', 'eslint'] },
  {
    path: /^(cspell\.config\.mjs|commitlint\.config\.js|tools\/lint\/(words\.txt|terms\.yml))$/,
    checks: ['tools'],
  },
  { path: /^vitest\.config\.ts$/, checks: ['types', 'eslint', 'web'] },
  { path: /^(playwright|vite)\.config\.ts$/, checks: [], later: ['page'] },
  { path: /^\.clang-format$/, checks: ['clang-format'] },
  { path: /^(\.prettier(rc|ignore)|\.editorconfig|\.gitignore|LICENSE|\.(ci|github)\/.*)$/, checks: [] },
];

/** A change of one of these files can break the check for any file, not only the changed ones. */
export const wholeCheck = {
  prettier: /^\.prettier(rc|ignore)$|^package(-lock)?\.json$/,
  eslint: /^(eslint\.config\.js|tsconfig.*\.json|package(-lock)?\.json)$/,
  web: /^(vitest\.config\.ts|package(-lock)?\.json|scenarios\/.*|web\/build\/.*|.*\/test-fixtures\/(document|frames)\.ts)$/,
};

/**
 * @param {string[]} paths changed paths, relative to the repository
 * @param {string[]} all the names of all checks, in their order
 * @returns {{ checks: string[], later: string[] }} both lists in that order; a path that matches no
 *   row can affect every check
 */
export function affectedChecks(paths, all) {
  const rows = paths.flatMap((path) => {
    const known = checksByPath.filter((row) => row.path.test(path));
    return known.length > 0 ? known : [{ checks: [], later: all }];
  });
  const checks = new Set(rows.flatMap((row) => row.checks));
  // These checks read every kind of file.
  if (paths.length > 0) for (const name of ['prettier', 'text']) checks.add(name);
  const later = new Set(rows.flatMap((row) => row.later ?? []));
  return {
    checks: all.filter((name) => checks.has(name)),
    later: all.filter((name) => later.has(name) && !checks.has(name)),
  };
}

/**
 * Returns the files that a check must read.
 * @param {'prettier' | 'eslint' | 'web'} check
 * @param {string[]} paths changed paths that still exist
 * @returns {string[] | 'all'}
 */
export function filesOf(check, paths) {
  if (paths.some((path) => wholeCheck[check].test(path))) return 'all';
  const kinds = { prettier: /./, eslint: /\.([cm]?js|tsx?)$/, web: /^web\/.*\.(ts|tsx|mjs|css)$/ };
  return paths.filter((path) => kinds[check].test(path));
}
