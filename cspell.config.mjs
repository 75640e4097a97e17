// Spelling of documents, comments, strings and names. Words of the field and of InnoDB are in tools/lint/words.txt.
export default {
  version: '0.2',
  language: 'en-US',
  dictionaryDefinitions: [{ name: 'latchscope', path: './tools/lint/words.txt', addWords: true }],
  dictionaries: [
    'latchscope',
    'softwareTerms',
    'typescript',
    'node',
    'npm',
    'cpp',
    'sql',
    'fonts',
    'css',
    'html',
    'bash',
  ],
  files: [
    '**/*.{md,ts,tsx,mjs,cjs,js,cc,h,css,html,latch,workload}',
    'scenarios/*/*.json',
    '.github/**',
    '*.json',
  ],
  ignorePaths: [
    '**/gen/**',
    'node_modules',
    'build',
    'dist',
    'wasm-engine/third_party',
    'package-lock.json',
    // Generated, and a binary format in Base64.
    'web/analysis/latch-language/latch-parser.ts',
    'web/analysis/exports/hdr-log.test.ts',
    // What other programs print.
    'web/analysis/imports/test-fixtures/*.txt',
    'test-results',
    'scenarios/*-results.json',
    'scenarios/*/measured/**',
  ],
  useGitignore: true,
  caseSensitive: false,
  minWordLength: 4,
  overrides: [
    {
      // Names of servers' code and what people search; the prose is checked.
      filename: 'scenarios/latch-catalogue.json',
      ignoreRegExpList: [
        '/"(name|event|code|file)": "[^"]*"/g',
        '/"(symptoms|status_names)": \\[[^\\]]*\\]/g',
      ],
    },
  ],
  ignoreRegExpList: ['/0x[0-9a-f]+/gi', '/\\b[0-9a-f]{7,}\\b/g', '/https?:\\/\\/\\S+/g'],
};
