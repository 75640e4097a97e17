// Tests the site for static hosts.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { damagedFileOf, serviceWorkerOf } from './kept-files.mjs';
import { UsageError } from './processes.mjs';
import { siteAddress, writeSite } from './site.mjs';

const URL_OF_SITE = 'https://example.org/latchscope/';
let root;
let dist;
let site;
const read = (name) => readFileSync(join(site, name), 'utf8');

before(() => {
  root = mkdtempSync(join(tmpdir(), 'latchscope-site-'));
  dist = join(root, 'dist');
  site = join(root, 'site');
  mkdirSync(dist);
  writeFileSync(
    join(dist, 'index.html'),
    '<head>\n  <meta\n name="description"\n content="Bugs &amp; locks."\n /></head>',
  );
  writeFileSync(join(dist, 'service-worker.js'), serviceWorkerOf(dist, 'code();'));
});
after(() => {
  rmSync(root, { recursive: true });
});

test('link previews have absolute addresses and the page’s description', () => {
  writeSite(dist, site, { url: URL_OF_SITE });
  const page = read('index.html');
  assert.ok(page.includes('<meta property="og:description" content="Bugs &amp; locks." />'));
  assert.ok(page.includes(`<meta property="og:image" content="${URL_OF_SITE}preview.png" />`));
  assert.ok(page.includes('<meta name="twitter:card" content="summary_large_image" />'));
  assert.ok(read('404.html').includes(`href="${URL_OF_SITE}"`));
});

test('without an address, nothing in the site is absolute', () => {
  writeSite(dist, site);
  assert.ok(read('index.html').includes('content="./preview.png"'));
  assert.ok(!read('index.html').includes('og:url'));
  assert.ok(!read('404.html').includes('href'));
});

test('the service worker has the digests of the changed page, and stores only files of the page', () => {
  writeSite(dist, site, { url: URL_OF_SITE });
  assert.equal(damagedFileOf(site), null);
  const [, build] = /^const BUILD = (.*);$/m.exec(read('service-worker.js'));
  assert.deepEqual(Object.keys(JSON.parse(build).files), ['index.html']);
  assert.ok(read('service-worker.js').endsWith('code();'));
  for (const name of ['preview.png', '404.html', '_headers']) assert.ok(existsSync(join(site, name)), name);
});

test('an address gets its last slash, and an invalid one is refused', () => {
  assert.equal(siteAddress('https://example.org/latchscope'), URL_OF_SITE);
  assert.equal(siteAddress(undefined), null);
  for (const text of ['example.org', 'ftp://example.org/', 'https://example.org/?a', ''])
    assert.throws(() => siteAddress(text), UsageError, text);
});
