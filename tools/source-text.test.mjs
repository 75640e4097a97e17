import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readSource } from './source-text.mjs';

const codeOf = (path, text) => readSource(path, text).code;

const same = {
  'a comment of its own line': ['a.cc', 'int a;\nint b;\n', '// Why.\nint a;\n\n// More.\nint b;\n'],
  'a comment inside an expression': ['a.cc', 'f(a, b);', 'f(a /* the first */,\n  b);  // call\n'],
  'spaces and line breaks in C++': [
    'a.h',
    'int f(int a) { return a; }',
    'int f(int  a)\n{\n  return a;\n}\n',
  ],
  'a directive over two lines': ['a.h', '#define A 1\nint b;', '#define A \\\n  1\n  int b;'],
  'comments in TypeScript': ['a.tsx', 'const a = <b>c</b>;', '/** Why. */\nconst a = // c\n  <b>c</b>;'],
  'JSDoc in a module': ['a.mjs', 'f(1);', '/** @param {number} a */\nf(\n  1\n);'],
  'the form of JSON': ['a.json', '{"a":[1,2]}', '{\n  "a": [1, 2]\n}\n'],
};

for (const [name, [path, one, other]] of Object.entries(same))
  test(`is no change of the code: ${name}`, () => assert.equal(codeOf(path, one), codeOf(path, other)));

const different = {
  'words that grow together': ['a.cc', 'long a;', 'longa;'],
  'signs that grow together': ['a.cc', 'a - -b;', 'a--b;'],
  'spaces in a string': ['a.cc', 'f("a b");', 'f("a  b");'],
  'what looks like a comment in a string': ['a.cc', 'f("// a");', 'f("// b");'],
  'a raw string': ['a.cc', 'f(R"(a // b)");', 'f(R"(a // c)");'],
  'the end of a directive': ['a.h', '#define A\nB', '#define A B'],
  'a template of TypeScript': ['a.ts', 'f(`// ${a}`);', 'f(`// ${b}`);'],
  'a regular expression': ['a.mjs', 'f(/\\/\\/ a/);', 'f(/\\/\\/ b/);'],
  'text of an element': ['a.tsx', '<b>// a</b>;', '<b>// b</b>;'],
  'a value in JSON': ['a.json', '{"a":1}', '{"a":2}'],
};

for (const [name, [path, one, other]] of Object.entries(different))
  test(`is a change of the code: ${name}`, () => assert.notEqual(codeOf(path, one), codeOf(path, other)));

test('comments have their lines, also beside strings that look like one', () => {
  assert.deepEqual(readSource('a.cc', 'f("// a");  // one\n/* two\n */ g();\n').comments, [
    { line: 1, text: '// one' },
    { line: 2, text: '/* two\n */' },
  ]);
  assert.deepEqual(
    readSource('a.tsx', '// one\nconst a = <b>// c</b>; // two\n/** three */\nf();\n// four').comments,
    [
      { line: 1, text: '// one' },
      { line: 2, text: '// two' },
      { line: 3, text: '/** three */' },
      { line: 5, text: '// four' },
    ],
  );
});

test('a text in no known language is code, all of it', () => {
  assert.deepEqual(readSource('CMakeLists.txt', '# why\nfoo()\n'), { code: '# why\nfoo()\n', comments: [] });
});
