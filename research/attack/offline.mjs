// Replays random events on a page that Chromium has cached for offline use. Its host goes down,
// comes back, and deploys other builds, complete or with a file missing. The browser loses files.
// Pages are opened, reloaded and closed. Hosts send random headers.
//
// The page must never be blank: it runs, or it shows the error and offers a remedy. The remedy
// must work once the host has a complete build. The page must never mix files of two builds.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';

import { buildPage } from '../../tools/builds.mjs';
import { inTemporaryFolder } from '../../tools/interruption.mjs';
import { makeBuild } from '../../tools/test-hosts/builds.mjs';
import { startHost } from '../../tools/test-hosts/hosts.mjs';
import { withChromium } from '../bench/browser.mjs';

const LINK = '#v=1&scenario=undo-read-117533';
const MARKS = ['one', 'two', 'three'];

async function withBuilds(use) {
  await buildPage();
  await inTemporaryFolder('attack', (root) => {
    for (const mark of MARKS) makeBuild(join(root, mark), mark);
    return withChromium((browser) => use({ browser, root }));
  });
}

const kind = fc.oneof(
  fc.constant('npm start'),
  fc.record({
    hasFallback: fc.boolean(),
    headers: fc.record(
      {
        Vary: fc.constantFrom('Origin', '*', 'Accept-Encoding, Origin'),
        'Cache-Control': fc.constantFrom(
          'no-store',
          'no-cache',
          'public, max-age=31536000, immutable',
          'max-age=60',
        ),
        'Cross-Origin-Opener-Policy': fc.constant('same-origin'),
        'Cross-Origin-Embedder-Policy': fc.constant('require-corp'),
        'X-Content-Type-Options': fc.constant('nosniff'),
      },
      { requiredKeys: [] },
    ),
  }),
);

const tab = fc.nat({ max: 2 });
const mark = fc.constantFrom(...MARKS);
/** Chooses a file of a build by its index in the list. */
const place = fc.nat({ max: 40 });
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('visit') }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('reload'), tab }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('close'), tab }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('deploy'), mark }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('deploy half'), mark, place }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('go down') }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('come back') }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('lose a file'), tab, place }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('lose all'), tab }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('press what is offered'), tab }) },
);

const story = fc.record({
  kind,
  /** The build of the first visit, after which the browser has cached all files. */
  first: mark,
  steps: fc.array(step, { minLength: 1, maxLength: 8 }),
});

/** A reader's browser and the page's host. */
class Story {
  tabs = [];
  isDown = false;

  constructor({ context, host, root }) {
    Object.assign(this, { context, host, root });
  }

  async visit() {
    const page = await this.context.newPage();
    const isOpen = await page.goto(`${this.host.url}${LINK}`).then(
      () => true,
      () => false,
    );
    if (!isOpen) {
      // Nothing is cached, and the browser reports that the host does not exist.
      assert.ok(this.isDown, 'the page does not open although its host is reachable');
      await page.close();
      return;
    }
    this.tabs.push(page);
    await this.expectNotBlank(page);
  }

  async carryOut(given) {
    const page = this.tabs[given.tab ?? 0];
    if (given.what === 'visit') return this.visit();
    if (given.what === 'deploy') return this.deploy(join(this.root, given.mark));
    if (given.what === 'deploy half') return this.deployHalf(given);
    if (given.what === 'go down') return this.goDown();
    if (given.what === 'come back') return this.comeBack();
    if (page === undefined) return undefined;
    if (given.what === 'reload') return this.reload(page);
    if (given.what === 'close') return this.close(page);
    if (given.what === 'lose a file') return page.evaluate(loseFile, given.place);
    if (given.what === 'lose all') return page.evaluate(loseAll);
    return this.pressWhatIsOffered(page);
  }

  deploy(build) {
    if (!this.isDown) this.host.deploy(build);
  }

  deployHalf({ mark: of, place: which }) {
    if (this.isDown) return;
    const half = mkdtempSync(join(this.root, 'half-'));
    cpSync(join(this.root, of), half, { recursive: true });
    const assets = readdirSync(join(half, 'assets'));
    rmSync(join(half, 'assets', assets[which % assets.length]));
    this.host.deploy(half);
  }

  async goDown() {
    if (this.isDown) return;
    this.isDown = true;
    await this.host.goDown();
  }

  async comeBack() {
    if (!this.isDown) return;
    this.isDown = false;
    await this.host.comeBack();
  }

  async reload(page) {
    const isOpen = await page.reload().then(
      () => true,
      () => false,
    );
    if (isOpen) return this.expectNotBlank(page);
    assert.ok(this.isDown, 'the page does not open although its host is reachable');
    return this.close(page);
  }

  async close(page) {
    this.tabs = this.tabs.filter((other) => other !== page);
    await page.close();
  }

  async pressWhatIsOffered(page) {
    const offer = page.locator(OFFERS).first();
    if (!(await offer.isVisible())) return;
    const opened = page.waitForEvent('framenavigated');
    const refused = page.getByText('The server cannot be reached').waitFor();
    await offer.click();
    await Promise.race([opened, refused].map((outcome) => outcome.catch(() => undefined)));
    if (page.url().startsWith('chrome-error:')) await this.close(page);
    else await this.expectNotBlank(page);
  }

  async expectNotBlank(page) {
    const state = await settled(page);
    assert.notEqual(state, 'blank', 'the page is blank');
    if (state === 'runs') assert.deepEqual(await page.evaluate(filesOfOtherBuilds), []);
  }

  /**
   * Restores a complete build on the host. Every page must then run, if necessary after its remedy.
   */
  async end() {
    await this.comeBack();
    this.deploy(join(this.root, MARKS[0]));
    for (const page of [...this.tabs]) await this.expectWayOn(page);
    this.tabs = [];
    await this.visit();
    await this.expectWayOn(this.tabs[0]);
  }

  async expectWayOn(page) {
    for (let presses = 0; ; presses += 1) {
      const state = await settled(page);
      if (state === 'runs') return;
      const text = await page.locator('body').innerText();
      assert.ok(presses < 3, `the offered remedy does not help; the page ${state}: ${text}`);
      await this.pressWhatIsOffered(page);
    }
  }
}

/** Much longer than a page takes to open on a busy machine. */
const BLANK_AFTER_MS = 60_000;

const OFFERS = '#rescue button, #loading a, section[aria-label="Newer version"] button';

/** @returns {Promise<'runs' | 'says what is wrong' | 'blank'>} the state of an opened page */
async function settled(page) {
  // Pages in the background draw no frames.
  await page.bringToFront();
  const endsMs = Date.now() + BLANK_AFTER_MS;
  let state = 'blank';
  do {
    // The page may be reloading.
    state = await page.evaluate(stateOfPage).catch(() => 'blank');
  } while (state === 'blank' && Date.now() < endsMs);
  return state;
}

// These functions run in the page.

async function stateOfPage() {
  await new Promise(requestAnimationFrame);
  const isVisible = (id) => document.getElementById(id)?.checkVisibility({ visibilityProperty: true });
  if (isVisible('rescue') || isVisible('loading')) return 'says what is wrong';
  if (!('latchscope' in window)) return 'blank';
  const isReady = await window.latchscope.ready.then(
    () => true,
    () => false,
  );
  if (isReady && document.querySelector('#root > :not(#loading)')) return 'runs';
  return document.querySelector('[role=alert]') === null ? 'blank' : 'says what is wrong';
}

function filesOfOtherBuilds() {
  const { build } = document.documentElement.dataset;
  return performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.includes('/assets/') && !name.includes(`-${build}.`));
}

async function loseFile(place) {
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const requests = await cache.keys();
    if (requests.length > 0) await cache.delete(requests[place % requests.length], { ignoreVary: true });
  }
}

async function loseAll() {
  for (const name of await caches.keys()) await caches.delete(name);
}

async function firstVisit(context, host) {
  const page = await context.newPage();
  await page.goto(host.url);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.close();
}

async function isNeverBlank({ kind: of, first, steps }, { browser, root }) {
  const host = await startHost(of, join(root, first));
  const context = await browser.newContext();
  try {
    await firstVisit(context, host);
    host.deploy(join(root, MARKS[0]));
    const storyTold = new Story({ context, host, root });
    for (const given of steps) await storyTold.carryOut(given);
    await storyTold.end();
  } finally {
    await context.close();
    await host.close();
  }
}

export default {
  withContext: withBuilds,
  attacks: [
    {
      name: 'changing builds, lost files, unreachable hosts',
      inputs: 12,
      input: story,
      withstands: isNeverBlank,
    },
  ],
};
