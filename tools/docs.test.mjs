// Tests that documents which repeat declarations of the code agree with the code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import {
  cacheControl,
  EMBED_PAGE,
  EMBED_SCRIPT,
  headersOf,
  hostHeaders,
} from '../web/contract/response-headers.mjs';
import { declaredCounters } from './engine-counters.mjs';
import { repository } from './processes.mjs';
import { headersFile } from './site.mjs';

const read = (path) => readFileSync(join(repository, path), 'utf8');

function documentedCounters() {
  const table = read('docs/reference/telemetry.md').split('<!-- counters')[1];
  return [...table.matchAll(/^\|\s*`(\w+)`\s*\|\s*(.*?)\s*\|$/gm)].map(([, name, meaning]) => ({
    name,
    meaning,
  }));
}

test('docs/reference/telemetry.md lists every counter with its meaning', () => {
  assert.ok(declaredCounters().length > 10);
  assert.deepEqual(documentedCounters(), declaredCounters());
});

test('the example of docs/guide/automation.md equals the tested one', () => {
  const [, documented] = read('docs/guide/automation.md').split(/<!-- (?:end of )?example of automation -->/);
  const [, tested] = read('e2e/automation.spec.ts').split(/^\/\/ --- (?:end of )?example\n/m);
  assert.match(tested, /window\.latchscope\.run/);
  assert.equal(documented.trim(), `\`\`\`ts\n${tested}\`\`\``);
});

test('docs/guide/automation.md lists every member of window.latchscope', () => {
  const [, declared] = read('web/shell/automation.ts').split(/export interface Automation \{|^\}/m);
  const members = membersOf(declared);
  const table = read('docs/guide/automation.md').split('## Members')[1].split('\n\n- ')[0];
  const documented = [...table.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`(\w+(?:\.\w+)?)/g)].map(([, name]) => name),
  );
  assert.ok(members.length > 10);
  assert.ok(members.includes('lab.check'));
  assert.deepEqual(documented.sort(), members.sort());
});

/** Members of a nested object are prefixed with its name: lab.check. */
function membersOf(declared) {
  let group = null;
  return declared.split('\n').flatMap((line) => {
    const [, own, opens] = /^ {2}(?:readonly )?(\w+):( \{$)?/.exec(line) ?? [];
    const [, inner] = /^ {4}(\w+):/.exec(line) ?? [];
    if (own !== undefined) group = opens === undefined ? null : own;
    if (own !== undefined && group === null) return [own];
    return inner !== undefined && group !== null ? [`${group}.${inner}`] : [];
  });
}

test('docs/guide/writing-lessons.md names every place that a lesson can point at', () => {
  const [, places] = read('web/contract/lesson.ts').split(/lesson_places = \[|\] as const/);
  const document = read('docs/guide/writing-lessons.md');
  const names = [...places.matchAll(/'([\w.]+)'/g)].map(([, name]) => name);
  assert.ok(names.length > 10);
  for (const name of names) assert.ok(document.includes(`\`${name}\``), name);
});

/** Returns the section of docs/guide/hosting.md about one kind of host. */
function hostSection(heading) {
  const [, below] = read('docs/guide/hosting.md').split(`\n### ${heading}\n`);
  return below.split(/^##/m)[0];
}

const headerLines = {
  nginx: /^ {2}add_header ([\w-]+) "([^"]*)" always;$/gm,
  Apache: /^Header always set ([\w-]+) "([^"]*)"$/gm,
  'Netlify, Cloudflare Pages': /^ {2}(?!Cache-Control)([\w-]+): (.*)$/gm,
};

/** Returns the headers that the section of one kind of host documents for a file. */
const documentedHeaders = {
  nginx: (section, file) => {
    const maps = [...section.matchAll(/^map \$uri (\$\w+) \{\n([^}]*)\}/gm)].map(([, name, lines]) => {
      const rules = [...lines.matchAll(/^ {2}(?:~(\S+)|default) "([^"]*)";$/gm)];
      return [
        name,
        rules.find(([, pattern]) => pattern === undefined || new RegExp(pattern).test(`/${file}`))[2],
      ];
    });
    const filled = (value) => maps.reduce((text, [name, given]) => text.replace(name, given), value);
    return [...section.matchAll(headerLines.nginx)].map(([, name, value]) => [name, filled(value)]);
  },
  Apache: (section, file) => {
    const [forAll, ...blocks] = section.split(/^<Files/m);
    const own = blocks
      .map((block) => /^Match "(.*)">\n([\s\S]*?)<\/FilesMatch>/.exec(block))
      .filter(([, pattern]) => new RegExp(pattern).test(file));
    return [forAll, ...own.map(([, , lines]) => lines.replaceAll(/^ {2}/gm, ''))].flatMap((lines) =>
      [...lines.matchAll(headerLines.Apache)].map(([, ...header]) => header),
    );
  },
  'Netlify, Cloudflare Pages': (section, file) =>
    [...section.matchAll(/^(\/\S*)\n((?: {2}.*\n)+)/gm)]
      .filter(([, path]) => path === '/*' || path === `/${file}`)
      .flatMap(([, , lines]) => [...lines.matchAll(headerLines['Netlify, Cloudflare Pages'])])
      .map(([, ...header]) => header),
};

test('docs/guide/hosting.md has all headers with their values, for each kind of host', () => {
  for (const [heading, headersIn] of Object.entries(documentedHeaders)) {
    for (const file of ['index.html', 'assets/index-AbC.js', EMBED_PAGE, EMBED_SCRIPT]) {
      const documented = Object.fromEntries(headersIn(hostSection(heading), file));
      assert.deepEqual(documented, headersOf(file), `${heading}: ${file}`);
    }
  }
});

test('docs/guide/hosting.md shows the _headers file of a site', () => {
  const [, shown] = /```\n(\/\*\n[\s\S]*?)```/.exec(hostSection('Netlify, Cloudflare Pages'));
  assert.equal(shown, headersFile());
});

test('docs/guide/hosting.md explains each header, and how long files may be cached', () => {
  const [, table] = read('docs/guide/hosting.md').split(/\n## Headers\n/);
  const cells = [...table.matchAll(/^\| (`[^|]*)\|/gm)].map(([, cell]) => cell).join();
  for (const name of Object.keys(hostHeaders())) assert.ok(cells.includes(`\`${name}\``), name);
  const { hashed, other } = cacheControl;
  for (const value of [hashed, other]) assert.ok(table.includes(`\`${value}\``), value);
  for (const heading of Object.keys(headerLines)) {
    for (const value of [hashed, other])
      assert.ok(hostSection(heading).includes(value), `${heading}: ${value}`);
  }
});
