// ESLint rules of the repository.
import react_hooks from 'eslint-plugin-react-hooks';
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

export default tseslint.config(
  globalIgnores([
    '**/gen/',
    'web/analysis/latch-language/latch-parser.ts',
    'build/',
    'dist/',
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
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      // Values are named as in the contracts (run_state, wait_ns), functions and types as in
      // TypeScript.
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: 'typeLike', format: ['PascalCase'] },
        // A function's name may end in the unit of its result.
        {
          selector: ['function', 'classMethod', 'typeMethod'],
          format: null,
          custom: { regex: '^[a-zA-Z][a-zA-Z0-9]*(_ns|_ms|_s)?$', match: true },
        },
        { selector: 'variable', format: ['snake_case', 'UPPER_CASE'] },
        {
          selector: ['variable', 'parameter'],
          types: ['function'],
          format: ['camelCase', 'PascalCase', 'snake_case'],
        },
        { selector: 'parameter', format: ['snake_case'], leadingUnderscore: 'allow' },
        { selector: 'parameter', filter: { regex: '^(className|on[A-Z].*)$', match: true }, format: null },
      ],
    },
  },
  {
    files: ['web/{widgets,features,shell}/**/*.tsx', 'web/main.tsx'],
    extends: [react_hooks.configs.flat['recommended-latest']],
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
    files: ['wasm-engine/cmake/*.js'], // Emscripten reads these files.
    languageOptions: { globals: { addToLibrary: 'readonly', abort: 'readonly' } },
  },
);
