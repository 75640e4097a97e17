// ESLint rules of the repository.
import reactHooks from 'eslint-plugin-react-hooks';
import { globalIgnores } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const NO_TIMERS = {
  selector:
    "CallExpression[callee.name=/^(setTimeout|setInterval)$/], CallExpression[callee.property.name='waitForTimeout']",
  message: 'Wait for a state or an animation frame, not for time to pass.',
};

// A test must not fail because a machine is slow. CONTRIBUTING.md says where the limits for hanging
// tests are set.
const NO_TIME_LIMITS = {
  selector: [
    "Property[key.name='timeout']",
    'CallExpression[callee.property.name=/^(setTimeout|slow)$/]',
    'CallExpression[callee.name=/^(test|it)$/][arguments.2.type=/^(Literal|Identifier)$/]',
    "CallExpression[callee.type='CallExpression'][arguments.2.type=/^(Literal|Identifier)$/]",
    "CallExpression[callee.object.name='vi'][callee.property.name=/^wait(For|Until)$/]",
  ].join(', '),
  message: 'Tests have no time limits of their own. Wait with waitForState() or expect.poll().',
};

const AROUND_THE_PAGE = [
  'location',
  'history',
  'navigator',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'caches',
];

// Names follow the TypeScript ecosystem. Only web/contract has snake_case: names of JSON, links, the
// C ABI and window.latchscope. A destructured variable may keep the name of such a property, and an
// import the name that its module exports.
const NAMES = [
  'error',
  { selector: 'default', format: ['camelCase'], leadingUnderscore: 'allow' },
  { selector: 'import', format: null },
  { selector: 'typeLike', format: ['PascalCase'] },
  { selector: ['variable', 'parameter'], modifiers: ['destructured'], format: null },
  { selector: 'variable', modifiers: ['destructured', 'global'], format: null },
  { selector: 'variable', modifiers: ['global'], format: ['camelCase', 'UPPER_CASE', 'PascalCase'] },
  { selector: 'function', format: ['camelCase', 'PascalCase'] },
  {
    selector: ['variable', 'parameter'],
    types: ['function'],
    format: ['camelCase', 'PascalCase'],
    leadingUnderscore: 'allow',
  },
  { selector: ['objectLiteralProperty', 'objectLiteralMethod', 'enumMember'], format: null },
  { selector: ['typeProperty', 'typeMethod', 'classProperty'], modifiers: ['requiresQuotes'], format: null },
  // Emscripten's module, and a getter of LiveView.
  { selector: 'typeProperty', filter: '^PThread$', format: null },
  { selector: 'classicAccessor', filter: '^latches_now$', format: null },
];

export default tseslint.config(
  globalIgnores([
    '**/gen/',
    'web/analysis/latch-language/latch-parser.ts',
    'build/',
    'dist/',
    'release/',
    'site/',
    'test-results/',
    'playwright-report/',
  ]),
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './tsconfig.worker.json', './tsconfig.node.json'] },
    },
    rules: {
      'no-restricted-syntax': ['error', NO_TIMERS],
      // Telemetry code indexes typed arrays throughout. An index within bounds is never undefined.
      '@typescript-eslint/no-non-null-assertion': 'off',
      // An arrow function may be one call that returns nothing, without a block around it.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/naming-convention': NAMES,
      // Features add to interfaces of the session by declaration merging.
      '@typescript-eslint/no-empty-object-type': ['error', { allowInterfaces: 'always' }],
    },
  },
  {
    files: ['web/contract/**/*.ts', 'tools/package/api.d.ts'],
    rules: { '@typescript-eslint/naming-convention': 'off' },
  },
  {
    files: ['web/{widgets,features,shell}/**/*.tsx', 'web/main.tsx'],
    extends: [reactHooks.configs.flat['recommended-latest']],
  },
  {
    // A view draws and listens only at its own elements. It accesses the rest of the browser
    // through the ports of web/browser/.
    files: ['web/{contract,engine-client,recording,analysis,charts,session,widgets,features}/**/*.{ts,tsx}'],
    // capabilities.ts detects which engines the browser can run.
    ignores: ['**/*.test.{ts,tsx}', 'web/engine-client/capabilities.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        ...AROUND_THE_PAGE.map((name) => ({ name, message: 'Use a port of web/browser/.' })),
      ],
    },
  },
  {
    files: ['**/*.{js,mjs}'],
    extends: [tseslint.configs.base],
    languageOptions: { globals: { ...globals.node, ...globals.browser, ...globals.serviceworker } },
    rules: {
      'no-unused-vars': ['error', { varsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_' }],
      'no-undef': 'error',
      eqeqeq: 'error',
      'prefer-const': 'error',
      '@typescript-eslint/naming-convention': [
        'error',
        {
          selector: ['variable', 'function', 'parameter'],
          format: ['camelCase', 'UPPER_CASE', 'PascalCase'],
          leadingUnderscore: 'allow',
        },
        { selector: ['variable', 'parameter'], modifiers: ['destructured'], format: null },
      ],
    },
  },
  {
    files: ['**/*.test.{ts,tsx}', '**/test-fixtures/**/*.ts', 'e2e/**/*.ts'],
    ignores: ['web/contract/test-fixtures/wait-for-state.ts'],
    rules: { 'no-restricted-syntax': ['error', NO_TIMERS, NO_TIME_LIMITS] },
  },
  {
    files: ['**/*.test.mjs'],
    rules: { 'no-restricted-syntax': ['error', NO_TIME_LIMITS] },
  },
  {
    files: ['wasm-engine/{cli,cmake}/*.js'], // Emscripten reads these files.
    languageOptions: { globals: { addToLibrary: 'readonly', abort: 'readonly' } },
    rules: { 'no-unused-vars': ['error', { args: 'none' }] }, // It counts the parameters.
  },
);
