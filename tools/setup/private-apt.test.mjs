// What the private apt refuses, on archives made here, with a configuration that would let all of it pass.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { CommandError, run, which } from './commands.mjs';
import { hostDistribution, hostRelease } from './host-machine.mjs';
import { openPrivateApt } from './private-apt.mjs';

const PACKAGE = 'latchscope-test';
const LAX = ['AllowInsecureRepositories', 'AllowWeakRepositories', 'AllowDowngradeToInsecureRepositories'];
const missing = ['apt-get', 'dpkg-deb', 'gpg'].filter((program) => !which([program]));
const skip = hostDistribution() !== 'debian' || missing.length > 0 ? 'needs Debian, apt-get and gpg' : false;
const { APT_CONFIG } = process.env;
let folder;
let release;
let architecture;

beforeEach(async () => {
  if (skip) return;
  folder = mkdtempSync(join(tmpdir(), 'latchscope-apt-'));
  release = join(folder, 'archive', 'dists', hostRelease());
  architecture = (await run('dpkg', ['--print-architecture'])).stdout.trim();
  process.env.GNUPGHOME = join(folder, 'gnupg');
  mkdirSync(process.env.GNUPGHOME, { mode: 0o700 });
  await makeArchive();
  await sign();
  configure();
});

afterEach(async () => {
  if (skip) return;
  await run('gpgconf', ['--kill', 'all']);
  delete process.env.GNUPGHOME;
  delete process.env.APT_CONFIG;
  if (APT_CONFIG !== undefined) process.env.APT_CONFIG = APT_CONFIG;
  rmSync(folder, { recursive: true });
});

const packagesFile = () => join(release, 'main', `binary-${architecture}`, 'Packages');
const debFile = () => join(folder, 'archive', `${PACKAGE}.deb`);
const sha256Of = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

async function makeArchive() {
  const control = `Package: ${PACKAGE}\nVersion: 1\nArchitecture: ${architecture}\nMaintainer: nobody\nDescription: nothing\n`;
  mkdirSync(join(folder, 'deb', 'DEBIAN'), { recursive: true });
  writeFileSync(join(folder, 'deb', 'DEBIAN', 'control'), control);
  mkdirSync(join(release, 'main', `binary-${architecture}`), { recursive: true });
  await run('dpkg-deb', ['--build', join(folder, 'deb'), debFile()]);
  const size = readFileSync(debFile()).length;
  writeFileSync(
    packagesFile(),
    `${control}Filename: ${PACKAGE}.deb\nSize: ${size}\nSHA256: ${sha256Of(debFile())}\n`,
  );
  const packages = `main/binary-${architecture}/Packages`;
  const entry = ` ${sha256Of(packagesFile())} ${readFileSync(packagesFile()).length} ${packages}`;
  writeFileSync(
    join(release, 'Release'),
    `Suite: ${hostRelease()}\nCodename: ${hostRelease()}\nDate: ${new Date().toUTCString()}\n` +
      `Architectures: ${architecture}\nComponents: main\nSHA256:\n${entry}\n`,
  );
}

async function sign() {
  const gpg = (...args) => run('gpg', ['--batch', '--yes', '--passphrase', '', ...args]);
  await gpg('--quick-generate-key', 'test@latchscope.example', 'ed25519', 'sign', 'never');
  await gpg('--output', join(folder, 'key.gpg'), '--export', 'test@latchscope.example');
  await gpg('--clearsign', '--output', join(release, 'InRelease'), join(release, 'Release'));
}

/** Every way in which a machine's configuration can tell apt to take what is not signed. */
function configure({ signedBy = `signed-by=${join(folder, 'key.gpg')} `, trusted = 'trusted=yes ' } = {}) {
  const options = `${signedBy}${trusted}allow-insecure=yes allow-weak=yes allow-downgrade-to-insecure=yes`;
  writeFileSync(
    join(folder, 'sources.list'),
    `deb [${options}] copy:${join(folder, 'archive')} ${hostRelease()} main\n`,
  );
  writeFileSync(
    join(folder, 'lax.conf'),
    [
      `Dir::Etc::sourcelist "${join(folder, 'sources.list')}";`,
      'Dir::Etc::sourceparts "/dev/null";',
      'APT::Get::AllowUnauthenticated "true";',
      ...LAX.map((name) => `Acquire::${name} "true";`),
    ].join('\n'),
  );
  process.env.APT_CONFIG = join(folder, 'lax.conf');
}

async function fetchPackage() {
  const apt = await openPrivateApt(join(folder, 'private'));
  await apt.update();
  const plan = await apt.plan([PACKAGE], []);
  await apt.download([PACKAGE]);
  return plan.map(({ name }) => name);
}

test('what is signed is taken', { skip }, async () => {
  assert.deepEqual(await fetchPackage(), [PACKAGE]);
});

test('a release that is not signed is refused', { skip }, async () => {
  rmSync(join(release, 'InRelease'));
  await assert.rejects(fetchPackage(), CommandError);
});

test('a release signed with another key is refused', { skip }, async () => {
  configure({ signedBy: 'signed-by=/usr/share/keyrings/debian-archive-keyring.gpg ' });
  await assert.rejects(fetchPackage(), CommandError);
});

test('a release changed after it was signed is refused', { skip }, async () => {
  const text = readFileSync(join(release, 'InRelease'), 'utf8');
  writeFileSync(join(release, 'InRelease'), text.replace('Components: main', 'Components: main more'));
  await assert.rejects(fetchPackage(), CommandError);
});

test('a package list other than the release names is refused', { skip }, async () => {
  const text = readFileSync(packagesFile(), 'utf8');
  writeFileSync(packagesFile(), text.replace('Version: 1', 'Version: 2'));
  await assert.rejects(fetchPackage(), CommandError);
});

test('a package other than the list names is refused', { skip }, async () => {
  const bytes = readFileSync(debFile());
  bytes[bytes.length - 1] ^= 1;
  writeFileSync(debFile(), bytes);
  await assert.rejects(fetchPackage(), /mismatch|Hash|size/i);
});
