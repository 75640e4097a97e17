import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatDeb822Sources,
  parseDeb822Sources,
  parseOneLineSources,
  sourcesOfOtherRelease,
  sourcesOfRelease,
} from './apt-sources.mjs';

const DEB822 = `# comes with the image
Types: deb deb-src
# a comment inside
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates bookworm-backports
Components: main contrib
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main

Types: deb
Enabled: no
URIs: http://mirror.example/off
Suites: bookworm
Components: main

Types: deb
URIs: http://other.example/apt
Suites: stable-tool
Components: main
`;

const ONE_LINE = `
deb http://mirror.example/debian bookworm main non-free-firmware # the archive
# deb http://mirror.example/off bookworm main
deb-src http://mirror.example/debian bookworm main
deb [arch=amd64,arm64 signed-by=/k.gpg] http://mirror.example/debian-security bookworm-security main
deb [trusted=yes] file:/srv/flat ./
`;

test('one-line sources keep their options as deb822 fields', () => {
  const sources = parseOneLineSources(ONE_LINE);
  assert.equal(sources.length, 4);
  assert.deepEqual(sources[0], {
    types: 'deb',
    uris: 'http://mirror.example/debian',
    suites: 'bookworm',
    components: 'main non-free-firmware',
  });
  assert.equal(sources[2].architectures, 'amd64 arm64');
  assert.equal(sources[2]['signed-by'], '/k.gpg');
});

test('deb822 sources are read without their comments', () => {
  const [archive] = parseDeb822Sources(DEB822);
  assert.equal(archive.uris, 'http://mirror.example/debian');
  assert.equal(archive['signed-by'], '/usr/share/keyrings/debian-archive-keyring.gpg');
});

test('a key written into the source survives reading and writing', () => {
  const text =
    'types: deb\nuris: http://m/\nsuites: sid\ncomponents: main\nsigned-by:\n -----BEGIN\n .\n abc\n';
  const [source] = parseDeb822Sources(text);
  assert.equal(source['signed-by'], '\n -----BEGIN\n .\n abc');
  assert.deepEqual(parseDeb822Sources(formatDeb822Sources([source, source])), [source, source]);
});

for (const [format, sources] of [
  ['deb822', parseDeb822Sources(DEB822)],
  ['one-line', parseOneLineSources(ONE_LINE)],
]) {
  test(`${format}: the release is its main suite, updates and security, binary only`, () => {
    const chosen = sourcesOfRelease(sources, 'bookworm');
    assert.equal(chosen.length, 2);
    assert.match(chosen[0].suites, /^bookworm( bookworm-updates)?$/);
    assert.equal(chosen[1].suites, 'bookworm-security');
    assert.deepEqual([...new Set(chosen.map(({ types }) => types))], ['deb']);
  });

  test(`${format}: another release comes from the same archive`, () => {
    const [chosen, ...rest] = sourcesOfOtherRelease(sources, 'bookworm', 'trixie');
    assert.deepEqual(rest, []);
    assert.equal(chosen.uris, 'http://mirror.example/debian');
    assert.equal(chosen.suites, 'trixie');
    assert.equal(chosen.components, 'main');
  });
}

test('a release may be configured by its alias', () => {
  const sources = parseOneLineSources(
    'deb http://m/debian stable main\ndeb http://m/sec stable-security main',
  );
  assert.deepEqual(
    sourcesOfRelease(sources, 'bookworm').map(({ suites }) => suites),
    ['stable', 'stable-security'],
  );
});

test('nothing is chosen where nothing fits', () => {
  const sources = parseOneLineSources('deb http://m/ubuntu noble main universe');
  assert.deepEqual(sourcesOfRelease(sources, 'bookworm'), []);
  assert.deepEqual(sourcesOfOtherRelease(sources, 'bookworm', 'trixie'), []);
});
