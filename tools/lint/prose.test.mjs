import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isChecked, kindsOf, lintProse } from './prose.mjs';

const LONG = `The engine ${'really '.repeat(23)}runs.`;
const LONG_ENOUGH = `The engine ${'really '.repeat(22)}runs.`;

const findings = async (path, text) =>
  (await lintProse(path, text, true)).map((line) => line.replace(/^(.*?:\d+): .*\((\S+)\)$/, '$1 $2'));

const cases = [
  ['a phrase in a document', 'docs/a.md', 'One.\n\nThe thread goes on.\n', ['docs/a.md:3 phrases']],
  ['a long sentence in a document', 'docs/a.md', `One.\n\n${LONG}\n`, ['docs/a.md:3 sentence']],
  ['a sentence of 25 words is short enough', 'docs/a.md', `${LONG_ENOUGH}\n`, []],
  ['code counts as one word', 'docs/a.md', `${LONG_ENOUGH.replace('engine', '`npm run a b c d e f`')}\n`, []],
  ['code may have any words', 'docs/a.md', 'Use `nobody`.\n\n```\nnobody goes on\n```\n', []],
  [
    'a long table cell',
    'docs/a.md',
    `| a | b |\n| - | - |\n| 1 | ${'word '.repeat(13)}|\n`,
    ['docs/a.md:3 table-cell'],
  ],
  ['a table cell of twelve words', 'docs/a.md', `| a | b |\n| - | - |\n| 1 | ${'word '.repeat(12)}|\n`, []],
  [
    'a comment of C++',
    'wasm-engine/a.cc',
    'int a;\n// Nobody\n// reads it.\n',
    ['wasm-engine/a.cc:2 phrases'],
  ],
  [
    'a comment of C++ over two lines',
    'wasm-engine/a.h',
    `// One.\n//\n// ${LONG.replace('runs', '\n// runs')}\n`,
    ['wasm-engine/a.h:3 sentence'],
  ],
  [
    'words after a type in JSDoc',
    'tools/a.mjs',
    '/**\n * @param {string} path whoever reads\n */\nf();\n',
    ['tools/a.mjs:2 phrases'],
  ],
  [
    'tags of JSDoc are sentences of their own',
    'tools/a.mjs',
    `/**\n * @param {string} a ${'word '.repeat(15)}\n * @param {string} b ${'word '.repeat(15)}\n */\n`,
    [],
  ],
  [
    'comments behind code are sentences of their own',
    'wasm-engine/a.h',
    `int a;  // ${'word '.repeat(15)}\nint b;  // ${'word '.repeat(15)}\n`,
    [],
  ],
  [
    'types of JSDoc over several lines are not prose',
    'tools/a.mjs',
    `/**\n * @returns {{ a: ${'word '.repeat(15)}\n *   b: ${'word '.repeat(15)} }} the words\n */\nf();\n`,
    [],
  ],
  ['directives are not prose', 'tools/a.mjs', '// eslint-disable-next-line no-nobody -- goes on\nf();\n', []],
  ['a string of the page', 'web/a.tsx', "const a = 'Nobody has it';\n", ['web/a.tsx:1 phrases']],
  [
    'text of an element',
    'web/a.tsx',
    'const a = (\n  <b>\n    it goes on\n  </b>\n);\n',
    ['web/a.tsx:3 phrases'],
  ],
  ['a template', 'web/a.ts', 'const a = `${name} goes on`;\n', ['web/a.ts:1 phrases']],
  [
    'one word, a class and a path are not prose',
    'web/a.tsx',
    'import \'nobody goes on\';\nconst a = <b className="nobody here">anew</b>;\n',
    [],
  ],
  ['strings of tests are not prose', 'web/a.test.ts', "test('nobody has it', f);\n", []],
];

for (const [name, path, text, expected] of cases)
  test(name, async () => assert.deepEqual(await findings(path, text), expected));

test('every kind of source file is read, and generated files are not', () => {
  assert.deepEqual(kindsOf('web/contract/gen/engine-abi.ts'), []);
  assert.deepEqual(kindsOf('wasm-engine/latch/rw_lock.h'), ['comments']);
  assert.deepEqual(kindsOf('web/features/lab/lab-panel.tsx'), ['comments', 'strings']);
  assert.deepEqual(kindsOf('docs/images/a.png'), []);
  assert.ok(isChecked('docs/guide/a.md'));
  assert.ok(!isChecked('README.md.txt'));
});
