// Tests which of the machine's package sources the set-up uses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatDeb822Sources,
  parseDeb822Sources,
  parseOneLineSources,
  sourcesOfRelease,
} from './apt-sources.mjs';

const DEB822 = `# comes with the image
Types: deb deb-src
# a comment inside
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates bookworm-backports
Components: main contrib
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
Trusted: yes

Types: deb
URIs: http://mirror.example/debian-security
Suites: bookworm-security
Components: main

Types: deb-src
URIs: http://mirror.example/sources
Suites: bookworm
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
deb http://mirror.example/debian bookworm main contrib # the archive
# deb http://mirror.example/off bookworm main
deb-src http://mirror.example/debian bookworm main
deb [trusted=yes] file:/srv/flat ./
deb [arch=amd64,arm64 signed-by=/k.gpg trusted=yes] http://mirror.example/debian-security bookworm-security main
`;

const ARCHIVE = { types: 'deb', uris: 'http://mirror.example/debian', components: 'main contrib' };
const SECURITY = {
  types: 'deb',
  uris: 'http://mirror.example/debian-security',
  components: 'main',
  suites: 'bookworm-security',
};
const DEBIANS_KEY = { 'signed-by': '/usr/share/keyrings/debian-archive-keyring.gpg' };

for (const [format, sources, archive, security] of [
  [
    'deb822',
    parseDeb822Sources(DEB822),
    { ...ARCHIVE, ...DEBIANS_KEY, suites: 'bookworm bookworm-updates' },
    SECURITY,
  ],
  [
    'one-line',
    parseOneLineSources(ONE_LINE),
    { ...ARCHIVE, suites: 'bookworm' },
    { ...SECURITY, architectures: 'amd64 arm64', 'signed-by': '/k.gpg' },
  ],
]) {
  test(`${format}: the release has its main suite, updates and security, only signed binary sources`, () =>
    assert.deepEqual(sourcesOfRelease(sources, 'bookworm'), [archive, security]));

  test(`${format}: another release comes from the same archive`, () =>
    assert.deepEqual(sourcesOfRelease(sources, 'bookworm', 'trixie'), [
      { ...archive, suites: 'trixie', components: 'main' },
    ]));
}

test('a key written into the source survives reading and writing', () => {
  const text =
    'types: deb\nuris: http://m/\nsuites: sid\ncomponents: main\nsigned-by:\n -----BEGIN\n# new\n .\n abc\n';
  const [source] = parseDeb822Sources(text);
  assert.equal(source['signed-by'], '\n -----BEGIN\n .\n abc');
  assert.deepEqual(parseDeb822Sources(formatDeb822Sources([source, source])), [source, source]);
});

for (const [what, text, suites] of [
  [
    'its alias',
    'deb http://m/debian stable main\ndeb http://m/sec stable-security main',
    ['stable', 'stable-security'],
  ],
  ['a name of another distribution', 'deb http://m/ubuntu noble main universe', []],
]) {
  test(`a release configured by ${what}: ${suites.join(', ') || 'nothing'} is chosen`, () => {
    const chosen = sourcesOfRelease(parseOneLineSources(text), 'bookworm');
    assert.deepEqual(
      chosen.map((source) => source.suites),
      suites,
    );
    assert.equal(
      sourcesOfRelease(parseOneLineSources(text), 'bookworm', 'trixie').length,
      suites.length === 0 ? 0 : 1,
    );
  });
}
