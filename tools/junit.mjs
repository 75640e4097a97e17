// Writes test reports in the JUnit XML format, which CI systems read. They disagree on details, so
// a report has only the elements and attributes that all of them know.
//
// REQUIRES: npm packages are installed. Programs import this file after `ensureNodeModules()`.
import { DOMImplementation, XMLSerializer } from '@xmldom/xmldom';

const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const REPLACEMENT = '\ufffd';

/** Replaces characters that XML 1.0 cannot hold, such as NUL or half of a surrogate pair. */
const allowed = (text) => text.replaceAll(NOT_IN_XML, REPLACEMENT);

/**
 * Formats one test suite. Attribute `message` of a failure or an error is its first line.
 * @param {{ name: string, tests: JUnitTest[] }} suite
 * @returns {string} an XML document that ends with a line feed
 *
 * @typedef {object} JUnitTest
 * @property {string} name
 * @property {string} className
 * @property {string} [failure] set if the test found a fault
 * @property {string} [error] set if the test could not run to its end
 * @property {string} [output]
 */
export function junitXml({ name, tests }) {
  const document = new DOMImplementation().createDocument(null, 'testsuites');
  const counts = {
    tests: tests.length,
    failures: tests.filter(({ failure }) => failure !== undefined).length,
    errors: tests.filter(({ error }) => error !== undefined).length,
  };
  const suite = elementBelow(document.documentElement, 'testsuite', { name, ...counts });
  for (const test of tests) {
    const testCase = elementBelow(suite, 'testcase', { name: test.name, classname: test.className });
    for (const kind of ['failure', 'error'])
      if (test[kind] !== undefined)
        elementBelow(testCase, kind, { message: test[kind].split(/\r?\n/, 1)[0] }, test[kind]);
    if (test.output !== undefined) elementBelow(testCase, 'system-out', {}, test.output);
  }
  indent(document.documentElement);
  const xml = new XMLSerializer().serializeToString(document, { requireWellFormed: true });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`;
}

function elementBelow(parent, name, attributes, text = '') {
  const element = parent.ownerDocument.createElement(name);
  for (const [attribute, value] of Object.entries(attributes))
    element.setAttribute(attribute, allowed(String(value)));
  if (text !== '') element.appendChild(parent.ownerDocument.createTextNode(allowed(text)));
  return parent.appendChild(element);
}

/** Puts each element without text on a line of its own. */
function indent(element, margin = '\n') {
  const document = element.ownerDocument;
  const children = Array.from(element.childNodes).filter(({ nodeType }) => nodeType === element.ELEMENT_NODE);
  for (const child of children) {
    element.insertBefore(document.createTextNode(`${margin}  `), child);
    indent(child, `${margin}  `);
  }
  if (children.length > 0) element.appendChild(document.createTextNode(margin));
}
