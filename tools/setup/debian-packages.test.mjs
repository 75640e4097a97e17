// Tests what the private apt refuses, with archives made here and a configuration that would accept
// all of them.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, test } from 'node:test';
import { run, which } from './commands.mjs';
import { parsePrintedUris, unpackDebianPackages } from './debian-packages.mjs';
import { hostDistribution, hostRelease } from './host-machine.mjs';
import { useScratch } from './scratch.mjs';

const PACKAGE = 'latchscope-test';
const DEBIANS_KEY = '/usr/share/keyrings/debian-archive-keyring.gpg';
const LAX = ['AllowInsecureRepositories', 'AllowWeakRepositories', 'AllowDowngradeToInsecureRepositories'];
const missing = ['apt-get', 'dpkg-deb', 'gpg'].filter((program) => !which([program]));
const skip = hostDistribution() !== 'debian' || missing.length > 0 ? 'needs Debian, apt-get and gpg' : false;
const { at, write } = useScratch();
const inRelease = (name) => `archive/dists/${hostRelease()}/${name}`;
const DEB = `archive/${PACKAGE}.deb`;
let list;

beforeEach(async () => {
  if (skip) return;
  mkdirSync(at('gnupg'), { mode: 0o700 });
  process.env.GNUPGHOME = at('gnupg');
  await makeArchive();
  const gpg = (...args) => run('gpg', ['--batch', '--yes', '--passphrase', '', ...args]);
  await gpg('--quick-generate-key', 'test@latchscope.example', 'ed25519', 'sign', 'never');
  await gpg('--output', at('key.gpg'), '--export', 'test@latchscope.example');
  await gpg('--clearsign', '--output', at(inRelease('InRelease')), at(inRelease('Release')));
  configure(at('key.gpg'));
});

afterEach(async () => {
  if (!skip) await run('gpgconf', ['--kill', 'all']);
});

const sized = (path) => ({
  size: readFileSync(at(path)).length,
  sha256: hash('sha256', readFileSync(at(path))),
});

async function makeArchive() {
  const architecture = (await run('dpkg', ['--print-architecture'])).stdout.trim();
  const packages = `main/binary-${architecture}/Packages`;
  list = inRelease(packages);
  const control = `Package: ${PACKAGE}\nVersion: 1\nArchitecture: ${architecture}\nMaintainer: nobody\nDescription: nothing\n`;
  write('deb/DEBIAN/control', control);
  write('deb/usr/bin/tool', 'a tool');
  write('deb/usr/share/doc/tool', 'is left out');
  write(list);
  await run('dpkg-deb', ['--build', at('deb'), at(DEB)]);
  const { size, sha256 } = sized(DEB);
  write(list, `${control}Filename: ${PACKAGE}.deb\nSize: ${size}\nSHA256: ${sha256}\n`);
  write(
    inRelease('Release'),
    `Suite: ${hostRelease()}\nCodename: ${hostRelease()}\nDate: ${new Date().toUTCString()}\n` +
      `Architectures: ${architecture}\nComponents: main\nSHA256:\n ${sized(list).sha256} ${sized(list).size} ${packages}\n`,
  );
}

/** Writes a configuration with every option that makes apt accept unsigned packages. */
function configure(key) {
  const options = `signed-by=${key} trusted=yes allow-insecure=yes allow-weak=yes allow-downgrade-to-insecure=yes`;
  write('sources.list', `deb [${options}] copy:${at('archive')} ${hostRelease()} main\n`);
  const lax = LAX.map((name) => `Acquire::${name} "true";\n`).join('');
  const places = `Dir::Etc::sourcelist "${at('sources.list')}";\nDir::Etc::sourceparts "/dev/null";\n`;
  write('lax.conf', `${places}APT::Get::AllowUnauthenticated "true";\nAPT::Architectures "i386";\n${lax}`);
  process.env.APT_CONFIG = at('lax.conf');
}

const unpack = (more) => unpackDebianPackages(at('place'), { title: 'test', packages: [PACKAGE], ...more });
const change = (path, from, to) =>
  writeFileSync(at(path), readFileSync(at(path), 'latin1').replace(from, to), 'latin1');

test('signed packages are unpacked, without the files to leave out', { skip }, async () => {
  assert.deepEqual(await unpack({ leaveOut: ['./etc'] }), { packages: { [PACKAGE]: '1' } });
  assert.equal(readFileSync(at('place/root/bin/tool'), 'utf8'), 'a tool');
  assert.deepEqual(readdirSync(at('place')), ['root']);
  assert.deepEqual(readdirSync(at('place/root/usr/share')), []);
});

test('packages are selected from those of the release; a missing one is reported', { skip }, async () => {
  const packages = (offered) => [PACKAGE, 'not-there'].filter((name) => offered.has(name));
  assert.deepEqual(await unpack({ packages }), { packages: { [PACKAGE]: '1' } });
  await assert.rejects(unpack({ packages: ['not-there'] }), /^SetupError: not-there is not available from /);
});

for (const [what, spoil, expected = /^CommandFailed|ended with 100/] of [
  ['a release that is not signed', () => rmSync(at(inRelease('InRelease')))],
  ['a release signed with another key', () => configure(DEBIANS_KEY)],
  [
    'a release changed after it was signed',
    () => change(inRelease('InRelease'), 'Components: main', 'Components: main more'),
  ],
  ['a package list other than the release names', () => change(list, 'Version: 1', 'Version: 2')],
  ['a package other than the list names', () => change(DEB, /.$/s, '?'), /mismatch|Hash|size/i],
]) {
  test(`${what} is refused`, { skip }, async () => {
    spoil();
    await assert.rejects(unpack(), expected);
    assert.deepEqual(readdirSync(at('place')), []);
  });
}

test('the list of downloads is parsed with versions and sizes', () => {
  const text = `'http://m/a.deb' libfoo-1.0_1%3a2.3~rc+b1_amd64.deb 1234 SHA256:00\nother text\n`;
  assert.deepEqual(parsePrintedUris(text), [{ name: 'libfoo-1.0', version: '1:2.3~rc+b1', bytes: 1234 }]);
});
