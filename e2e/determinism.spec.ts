// The virtual server gives the same run results, byte for byte, in every browser, natively and in Node (npm
// run determinism). A bare page without isolation loads the engine's module.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test, type Page } from '@playwright/test';

interface ScenarioResults {
  runs: Record<string, { spec: object }>;
  figures: Record<string, string>;
}

const GEN = join(import.meta.dirname, '../web/engine-client/gen');
const ORIGIN = 'http://latchscope.test/';
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
    if (!/^engine-virtual\.(mjs|wasm)$/.test(name)) return route.fulfill({ status: 404 });
    return route.fulfill({
      contentType: name.endsWith('.mjs') ? 'text/javascript' : 'application/wasm',
      body: readFileSync(join(GEN, name)),
    });
  });
  await page.goto(ORIGIN);
}

/** The run result as the engine wrote it. */
function runInPage(page: Page, spec: object): Promise<string> {
  return page.evaluate(
    async ([module, text]) => {
      const { default: createEngine } = (await import(module)) as {
        default: () => Promise<{
          ccall: (name: string, result: string | null, types?: string[], values?: unknown[]) => unknown;
        }>;
      };
      const engine = await createEngine();
      const runUntilIdle = () => {
        do engine.ccall('latchscope_run_slice', null, ['number'], [500_000]);
        while (!engine.ccall('latchscope_is_idle', 'number'));
      };
      engine.ccall('latchscope_open', null);
      engine.ccall('latchscope_create', 'number', ['string'], [text]);
      runUntilIdle();
      engine.ccall('latchscope_start', 'number');
      runUntilIdle();
      return engine.ccall('latchscope_result', 'string') as string;
    },
    [`${ORIGIN}engine-virtual.mjs`, JSON.stringify({ version: 1, ...spec })] as const,
  );
}

for (const { name, spec, sha256 } of stored) {
  test(`the same bytes as everywhere: ${name}`, { tag: '@firefox' }, async ({ page }) => {
    await serveEngineAlone(page);
    expect(await page.evaluate(() => window.crossOriginIsolated)).toBe(false);
    const result = await runInPage(page, spec);
    expect(createHash('sha256').update(result.trim()).digest('hex')).toBe(sha256);
  });
}
