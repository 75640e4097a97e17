// The virtual server gives the same run results, byte for byte, in every browser, natively and in
// Node (npm run determinism). Here a bare page without isolation loads the engine's module.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test, type Page } from '@playwright/test';

import { generatedRun } from '../research/proofs/generated-workload.mjs';
import type { driverOf } from '../tools/engine-driver.mjs';
import { runInNode } from '../tools/wasm-engine.mjs';

interface ScenarioResults {
  runs: Record<string, { spec: object }>;
  figures: Record<string, string>;
}

type CompiledEngine = Parameters<typeof driverOf>[0];

const at = (path: string) => join(import.meta.dirname, '..', path);
const ORIGIN = 'http://latchscope.test/';
const files: Record<string, string> = {
  'engine-virtual.mjs': at('web/engine-client/gen/engine-virtual.mjs'),
  'engine-virtual.wasm': at('web/engine-client/gen/engine-virtual.wasm'),
  'engine-driver.mjs': at('tools/engine-driver.mjs'),
};
const { scenarios } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../scenarios/determinism.json'), 'utf8'),
) as { scenarios: Record<string, ScenarioResults> };
const stored = Object.values(scenarios).flatMap(({ runs, figures }) =>
  Object.entries(runs).map(([name, { spec }]) => ({ name, spec, sha256: figures[name] })),
);

async function serveEngineAlone(page: Page) {
  await page.route(`${ORIGIN}**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1);
    if (name === '') return route.fulfill({ contentType: 'text/html', body: '<!doctype html>' });
    const file = files[name];
    if (file === undefined) return route.fulfill({ status: 404 });
    return route.fulfill({
      contentType: name.endsWith('.mjs') ? 'text/javascript' : 'application/wasm',
      body: readFileSync(file),
    });
  });
  await page.goto(ORIGIN);
}

/** Returns the run result as the engine wrote it. */
function runInPage(page: Page, spec: object): Promise<string> {
  return page.evaluate(
    async ({ origin, runSpec }) => {
      const { default: createEngine } = (await import(`${origin}engine-virtual.mjs`)) as {
        default: () => Promise<CompiledEngine>;
      };
      const driving = (await import(`${origin}engine-driver.mjs`)) as {
        driverOf: typeof driverOf;
      };
      const driver = driving.driverOf(await createEngine());
      driver.create(runSpec);
      driver.run();
      return driver.result();
    },
    { origin: ORIGIN, runSpec: spec },
  );
}

for (const { name, spec, sha256 } of stored) {
  test(`the result has the same bytes everywhere: ${name}`, { tag: '@firefox' }, async ({ page }) => {
    await serveEngineAlone(page);
    expect(await page.evaluate(() => window.crossOriginIsolated)).toBe(false);
    const result = await runInPage(page, spec);
    expect(createHash('sha256').update(result.trim()).digest('hex')).toBe(sha256);
  });
}

/** Node runs them in WebAssembly and natively (research/proofs/same-bytes.test.mjs). */
const GENERATED = process.env.LATCHSCOPE_LONG === '1' ? 100 : 5;

test('generated workload files give the same bytes as in Node', { tag: '@firefox' }, async ({ page }) => {
  await serveEngineAlone(page);
  for (let seed = 0; seed < GENERATED; seed += 1) {
    const spec = await generatedRun(seed);
    const inNode = await runInNode(at('web/engine-client/gen'), spec);
    expect(await runInPage(page, spec), `seed ${seed}`).toBe(inNode);
  }
});
