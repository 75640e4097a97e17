// Tests that JUnit reports are XML documents with the content that CI systems expect.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DOMParser } from '@xmldom/xmldom';

import { junitXml } from './junit.mjs';

/** Parses an XML document. Throws on any deviation from XML. */
function parsed(xml) {
  const onError = (level, message) => {
    if (!message.startsWith('Unicode replacement character')) throw new Error(`${level}: ${message}`);
  };
  return new DOMParser({ onError }).parseFromString(xml, 'text/xml').documentElement;
}

const attributesOf = (element) =>
  Object.fromEntries(Array.from(element.attributes, ({ name, value }) => [name, value]));
const elementsIn = (parent) => Array.from(parent.childNodes).filter(({ nodeType }) => nodeType === 1);

test('a report has its tests, their failures and their counts', () => {
  const root = parsed(
    junitXml({
      name: 'suite',
      tests: [
        { name: 'passes', className: 'a.b', output: 'fine' },
        { name: 'fails', className: 'a.b', failure: 'too slow\nby far' },
        { name: 'breaks', className: 'a.c', error: 'no engine' },
      ],
    }),
  );
  assert.equal(root.nodeName, 'testsuites');
  const [suite, ...more] = elementsIn(root);
  assert.deepEqual(more, []);
  assert.deepEqual(attributesOf(suite), { name: 'suite', tests: '3', failures: '1', errors: '1' });
  const cases = elementsIn(suite).map((testCase) => ({
    ...attributesOf(testCase),
    inside: elementsIn(testCase).map((element) => [
      element.nodeName,
      attributesOf(element),
      element.textContent,
    ]),
  }));
  assert.deepEqual(cases, [
    { name: 'passes', classname: 'a.b', inside: [['system-out', {}, 'fine']] },
    { name: 'fails', classname: 'a.b', inside: [['failure', { message: 'too slow' }, 'too slow\nby far']] },
    { name: 'breaks', classname: 'a.c', inside: [['error', { message: 'no engine' }, 'no engine']] },
  ]);
});

test('any text survives, except for characters that XML cannot hold', () => {
  const text = `<a b="c" d='e'>&amp; ]]> --> naïve 🔒\tend`;
  const refused = ['\0', '\u001b', '\u000b', '\ufffe', '\uffff', '\ud83d', '\udd12'];
  const name = `${text}${refused.join('x')}`;
  const [suite] = elementsIn(parsed(junitXml({ name, tests: [{ name, className: name, failure: name }] })));
  const expected = `${text}${refused.map(() => '\ufffd').join('x')}`;
  const [testCase] = elementsIn(suite);
  assert.equal(suite.getAttribute('name'), expected);
  assert.deepEqual(attributesOf(testCase), { name: expected, classname: expected });
  assert.equal(elementsIn(testCase)[0].textContent, expected);
});

test('a suite without tests is a report too', () => {
  const [suite] = elementsIn(parsed(junitXml({ name: 'none', tests: [] })));
  assert.deepEqual(attributesOf(suite), { name: 'none', tests: '0', failures: '0', errors: '0' });
});
