// Tests the page after its host has disappeared, changed or lost files.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import type { Page } from '@playwright/test';

import { dist, fileLike, makeBuild } from '../tools/test-hosts/builds.mjs';
import { hostKinds, startHost } from '../tools/test-hosts/hosts.mjs';
import { expect, test as base } from './explorer';

type Host = Awaited<ReturnType<typeof startHost>>;
type HostKind = Parameters<typeof startHost>[0];

interface HostFixtures {
  kind: HostKind;
  host: Host;
}

const builds = mkdtempSync(path.join(tmpdir(), 'latchscope-builds-'));
/** Another build, which shares no file name with dist/. */
const secondBuild = path.join(builds, 'second');

const test = base.extend<HostFixtures>({
  serviceWorkers: 'allow',
  kind: [{}, { option: true }],
  host: async ({ kind }, use) => {
    const host = await startHost(kind, dist);
    await use(host);
    await host.close();
  },
});

test.beforeAll(() => {
  makeBuild(secondBuild, 'second');
});
test.afterAll(() => {
  rmSync(builds, { recursive: true, force: true });
});

const LINK = '#v=1&scenario=undo-read-117533&platform=virtual';
/**
 * On an isolated page this also starts the engine on real threads, which takes a second more each
 * time.
 */
const LINK_TO_BOTH = '#v=1&scenario=undo-read-117533';
const shortRun = {
  version: 1,
  scenario: 'undo-read-117533',
  platform: 'virtual',
  threads: 8,
  duration_s: 0.004,
};

async function open(page: Page, host: Host, { below = '', fragment = LINK } = {}): Promise<void> {
  await page.goto(`${host.url}${below}${fragment}`);
  await expectToRun(page);
}

async function expectToRun(page: Page): Promise<void> {
  await page.waitForFunction(() => 'latchscope' in window);
  await page.evaluate(() => window.latchscope.ready);
  await expect.poll(() => fontStates(page), 'fonts of the page').toEqual(['loaded']);
}

const fontStates = (page: Page) => page.evaluate(() => [...document.fonts].map(({ status }) => status));

/**
 * Waits until this page's own service worker controls it, not that of a page in a parent folder.
 * Then all files are stored.
 */
async function kept(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      navigator.serviceWorker.controller?.scriptURL === new URL('service-worker.js', document.baseURI).href,
  );
}

/** Returns the marker of the page's build; null means dist/. */
const buildShown = (page: Page) => page.evaluate(() => document.documentElement.dataset.build ?? null);

const newerVersion = (page: Page) => page.getByRole('region', { name: 'Newer version' });

async function useNewerVersion(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load');
  await newerVersion(page).getByRole('button', { name: 'Reload to update' }).click();
  await loaded;
  await expectToRun(page);
}

const cacheNames = (page: Page) => page.evaluate(() => caches.keys());

/** Makes a build without the file that matches `pattern`. */
function buildWithout(pattern: RegExp): { folder: string; lost: string } {
  const folder = mkdtempSync(path.join(builds, 'without-'));
  cpSync(dist, folder, { recursive: true });
  const lost = fileLike(folder, pattern);
  rmSync(path.join(folder, lost));
  return { folder, lost };
}

const rescue = (page: Page) => page.getByRole('alert').filter({ hasText: 'Part of Latchscope is missing' });

async function loadAfresh(page: Page): Promise<void> {
  const loaded = page.waitForEvent('load');
  await rescue(page).getByRole('button', { name: 'Reload page' }).click();
  await loaded;
  await expectToRun(page);
  await expect(rescue(page)).toHaveCount(0);
}

for (const [name, kind] of Object.entries(hostKinds)) {
  // Firefox activates a service worker differently on isolated pages. The other hosts differ only
  // in caching, and each takes just as long.
  const tag = ['npm start', 'no headers'].includes(name) ? ['@firefox'] : ['@long'];
  test.describe(`a host with ${name}`, { tag }, () => {
    test.use({ kind });

    test('is not needed after one visit; when it returns, it delivers a newer build', async ({
      page,
      host,
      complaints,
    }) => {
      await open(page, host, { fragment: LINK_TO_BOTH });
      await kept(page);

      await host.goDown();
      await page.reload();
      await expectToRun(page);
      const result = await page.evaluate((spec) => window.latchscope.run(spec), shortRun);
      expect(result.totals.transactions).toBeGreaterThan(0);
      // The browser looks for a newer service worker and finds none.
      complaints.length = 0;

      await host.comeBack();
      host.deploy(secondBuild);
      await page.reload();
      await expectToRun(page);
      expect(await buildShown(page)).toBeNull();
      await useNewerVersion(page);
      expect(await buildShown(page)).toBe('second');
      await expect(newerVersion(page)).toHaveCount(0);
      await expect.poll(() => cacheNames(page)).toHaveLength(1);
    });
  });
}

const FALLBACK_FOR_A_YEAR = 'the page in place of a missing file, kept for a year';
for (const name of ['npm start', 'no headers', FALLBACK_FOR_A_YEAR]) {
  const tag = name === 'npm start' ? [] : ['@long'];
  test.describe(`a host with ${name} that has lost a file`, { tag }, () => {
    test.use({ kind: hostKinds[name]! });

    for (const [part, pattern] of [
      ['the script', /^assets\/index-.*\.js$/],
      ['the style sheet', /^assets\/index-.*\.css$/],
    ] as const) {
      test(`${part}: the page reports it and reloads everything`, async ({ page, host, complaints }) => {
        const { folder, lost } = buildWithout(pattern);
        host.deploy(folder);
        await page.goto(`${host.url}${LINK}`);
        await expect(rescue(page)).toContainText(lost);
        complaints.length = 0;
        host.deploy(dist);
        await loadAfresh(page);
        expect(page.url()).toContain(LINK);
      });
    }

    for (const [part, pattern, reason] of [
      [
        'the engine',
        /^assets\/engine-virtual-.*\.wasm$/,
        /the engine: assets\/engine-virtual-\S+\.wasm is missing/,
      ],
      [
        'a module of its worker',
        /^assets\/rolldown-runtime-/,
        'the engine: The virtual server worker failed',
      ],
    ] as const) {
      test(`${part}: the page reports it and reloads everything`, async ({ page, host, complaints }) => {
        host.deploy(buildWithout(pattern).folder);
        await page.goto(`${host.url}${LINK}`);
        await expect(rescue(page)).toContainText(reason);
        await expect(page.getByText('The engine could not be loaded.')).toBeVisible();
        host.deploy(dist);
        await loadAfresh(page);
        complaints.length = 0;
      });
    }

    test('a part that loads later: the page keeps running, reports it and reloads everything', async ({
      page,
      host,
      complaints,
    }) => {
      const { folder, lost } = buildWithout(/^assets\/command-palette-/);
      host.deploy(folder);
      await open(page, host);
      await page.keyboard.press('Control+k');
      await expect(rescue(page)).toContainText(lost);
      await expect(page.getByRole('dialog', { name: 'Commands' })).toContainText('could not be shown');
      await page.keyboard.press('Escape');
      await expectToRun(page);
      host.deploy(dist);
      await loadAfresh(page);
      await page.keyboard.press('Control+k');
      await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
      complaints.length = 0;
    });
  });
}

/** Makes a build in which bytes of the file that matches `pattern` are damaged. */
function buildWithDamaged(pattern: RegExp): { folder: string; damaged: string } {
  const folder = mkdtempSync(path.join(builds, 'damaged-'));
  cpSync(dist, folder, { recursive: true });
  const damaged = fileLike(folder, pattern);
  const file = path.join(folder, damaged);
  writeFileSync(file, readFileSync(file).fill(0x28, 0, 64));
  return { folder, damaged };
}

for (const [part, pattern, fragment] of [
  ['the engine of the virtual server', /^assets\/engine-virtual-.*\.wasm$/, LINK],
  ['the engine on real threads', /^assets\/engine-threads-.*\.wasm$/, `${LINK_TO_BOTH}&platform=threads`],
  ['the worker of the virtual server', /^assets\/virtual-worker-.*\.js$/, LINK],
  ['the script of the page', /^assets\/index-.*\.js$/, LINK],
] as const) {
  test.describe(`a host that has damaged ${part}`, () => {
    test.use({ kind: 'npm start' });

    test('is reported with the name of the file; a reload from an intact host helps', async ({
      page,
      host,
      complaints,
    }) => {
      const { folder, damaged } = buildWithDamaged(pattern);
      host.deploy(folder);
      await page.goto(`${host.url}${fragment}`);
      await expect(rescue(page)).toContainText(damaged);
      await expect(page.getByText('CompileError')).toHaveCount(0);
      host.deploy(dist);
      await loadAfresh(page);
      complaints.length = 0;
    });
  });
}

test.describe('a device that is full', { tag: '@chromium' }, () => {
  /** Sets how many bytes the page's origin may store; null removes the limit. */
  type Limit = (bytes: number | null) => Promise<unknown>;
  /** The limit ends with the developer tools session. */
  async function limiter(page: Page, { url }: Host): Promise<Limit> {
    const devtools = await page.context().newCDPSession(page);
    const { origin } = new URL(url);
    return (bytes) =>
      devtools.send('Storage.overrideQuotaForOrigin', {
        origin,
        ...(bytes === null ? {} : { quotaSize: bytes }),
      });
  }
  /** Less than the size of a build's files. */
  const tooLittle = 2_000_000;

  test('stores no part of the page, and the page says so', async ({ page, host, complaints }) => {
    const limit = await limiter(page, host);
    await limit(tooLittle);
    await open(page, host, { fragment: '' });
    await expect(page.getByText('This device has no space to store the page')).toBeVisible();
    expect(await cacheNames(page)).toEqual([]);
    complaints.length = 0;
    await limit(null);
    await page.reload();
    await kept(page);
    await expect(page.getByText('stored on this device and works offline')).toBeVisible();
    await host.goDown();
    await page.reload();
    await expectToRun(page);
    complaints.length = 0;
  });

  test('keeps the complete older build if a newer one does not fit, and the page says so', async ({
    page,
    host,
    complaints,
  }) => {
    await open(page, host);
    await kept(page);
    const usage = await page.evaluate(async () => (await navigator.storage.estimate()).usage!);
    const limit = await limiter(page, host);
    await limit(usage + tooLittle);
    host.deploy(secondBuild);
    await page.reload();
    await expect(newerVersion(page)).toContainText('A newer version does not fit');
    expect(await cacheNames(page)).toHaveLength(1);
    await host.goDown();
    await page.reload();
    await expectToRun(page);
    expect(await buildShown(page)).toBeNull();
    complaints.length = 0;
  });
});

test('if even the script that reports missing files is missing, a link helps', async ({
  page,
  host,
  complaints,
}) => {
  const { folder, lost } = buildWithout(/^assets\/index-.*\.js$/);
  rmSync(path.join(folder, fileLike(folder, /rescue/)));
  host.deploy(folder);
  await page.goto(host.url);
  await expect(page.getByText('Latchscope is loading.')).toBeVisible();
  expect(lost).not.toBe('');
  complaints.length = 0;
  host.deploy(dist);
  await page.getByRole('link', { name: 'reload without the cache' }).click();
  await expectToRun(page);
  expect(page.url()).toBe(host.url);
});

test('stored files are not deleted while the host is unreachable', async ({ page, host, complaints }) => {
  await open(page, host);
  await kept(page);
  await page.evaluate(async () => {
    const [name] = await caches.keys();
    const cache = await caches.open(name!);
    const script = document.querySelector<HTMLScriptElement>('script[type=module]')!;
    await cache.delete(script.src);
  });
  await host.goDown();
  await page.reload();
  await rescue(page).getByRole('button', { name: 'Reload page' }).click();
  await expect(rescue(page)).toContainText('The server is not reachable.');
  expect(await cacheNames(page)).toHaveLength(1);
  await page.goto(`${host.url}?afresh`);
  await expect(rescue(page)).toBeVisible();
  expect(await cacheNames(page)).toHaveLength(1);
  await host.comeBack();
  await loadAfresh(page);
  // These are requests while the host was down. The last of them may have failed after it came
  // back.
  complaints.length = 0;
});

test('the address ?afresh deletes all stored files', async ({ page, host }) => {
  await open(page, host);
  await kept(page);
  await page.evaluate(async () => {
    const [name] = await caches.keys();
    const cache = await caches.open(name!);
    const pageKept = await (await cache.match('./index.html'))!.text();
    const headers = { 'Content-Type': 'text/html' };
    await cache.put(
      './index.html',
      new Response(pageKept.replace('<html ', '<html data-build="altered" '), { headers }),
    );
  });
  await page.reload();
  expect(await buildShown(page)).toBe('altered');
  await page.goto(`${host.url}?afresh${LINK}`);
  await expectToRun(page);
  expect(await buildShown(page)).toBeNull();
  expect(page.url()).toBe(`${host.url}${LINK}`);
});

test('a stored file that the browser has lost is fetched and stored again', async ({ page, host }) => {
  await open(page, host);
  await kept(page);
  const script = await page.evaluate(async () => {
    const [name] = await caches.keys();
    const cache = await caches.open(name!);
    const { src } = document.querySelector<HTMLScriptElement>('script[type=module]')!;
    await Promise.all([cache.delete(src), cache.delete('./index.html')]);
    return src;
  });
  await page.reload();
  await expectToRun(page);
  const isKept = (address: string) => caches.match(address).then((keptAgain) => keptAgain !== undefined);
  await expect.poll(() => page.evaluate(isKept, script)).toBe(true);
});

test.describe('a host that answers with the page in place of a missing file', () => {
  test.use({ kind: { hasFallback: true, headers: { Vary: 'Origin' } } });

  test('in the middle of an update: no wrong file is stored, and the older build stays in use', async ({
    page,
    host,
  }) => {
    await open(page, host);
    await kept(page);
    const half = path.join(builds, 'half');
    cpSync(secondBuild, half, { recursive: true });
    rmSync(path.join(half, fileLike(half, /engine-virtual-.*\.wasm$/)));
    host.deploy(half);
    const outcome = await page.evaluate(async () => {
      const registration = (await navigator.serviceWorker.getRegistration())!;
      const installed = new Promise<string>((resolve) => {
        registration.addEventListener('updatefound', () => {
          const { installing } = registration;
          installing?.addEventListener('statechange', () => {
            resolve(installing.state);
          });
        });
      });
      await registration.update();
      return installed;
    });
    expect(outcome).toBe('redundant');
    await page.reload();
    await expectToRun(page);
    expect(await buildShown(page)).toBeNull();
    await expect(newerVersion(page)).toHaveCount(0);

    host.deploy(secondBuild);
    await page.reload();
    await expectToRun(page);
    await useNewerVersion(page);
    expect(await buildShown(page)).toBe('second');
  });
});

test('an open page of the older build finds its files until it is closed', async ({
  page,
  context,
  host,
}) => {
  await open(page, host);
  await kept(page);
  host.deploy(secondBuild);
  const other = await context.newPage();
  await open(other, host);
  await useNewerVersion(other);
  expect(await buildShown(other)).toBe('second');
  expect(await cacheNames(other)).toHaveLength(2);

  await page.bringToFront();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
  expect(await buildShown(page)).toBeNull();

  await page.close();
  await other.reload();
  await expectToRun(other);
  await expect.poll(() => cacheNames(other)).toHaveLength(1);
});

test('two pages on one origin, one in a folder of the other, do not interfere', async ({ page, host }) => {
  host.deploy(dist, '/inner/');
  host.deploy(dist, '/beside/');
  for (const below of ['', 'inner/', 'beside/']) {
    await open(page, host, { below });
    await kept(page);
  }
  // Until its own service worker is installed, a page in a folder is controlled by the one above.
  await expect.poll(() => cacheNames(page)).toHaveLength(3);
  host.deploy(secondBuild, '/inner/');
  await open(page, host, { below: 'inner/' });
  await useNewerVersion(page);
  await expect.poll(() => cacheNames(page)).toHaveLength(3);

  await host.goDown();
  for (const [below, build] of [
    ['', null],
    ['inner/', 'second'],
    ['beside/', null],
  ] as const) {
    await open(page, host, { below });
    expect(await buildShown(page)).toBe(build);
  }
});

test('requests below the page for files that are not its own go to the host', async ({
  page,
  host,
  complaints,
}) => {
  await open(page, host);
  await kept(page);
  const response = await page.goto(`${host.url}elsewhere/`);
  expect(response!.status()).toBe(404);
  complaints.length = 0;
});
