import { createReadStream } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

import { expect, test } from './explorer';

const dist = path.join(import.meta.dirname, '../dist');
const content_types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** A static host that sends no headers of its own, as many do. */
function serveWithoutHeaders(): Promise<Server> {
  const server = createServer((request, response) => {
    const name = request.url === '/' ? '/index.html' : (request.url ?? '');
    const file = path.join(dist, path.normalize(name));
    response.setHeader('Content-Type', content_types[path.extname(file)] ?? 'application/octet-stream');
    createReadStream(file)
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(server);
    });
  });
}

test.describe('a page that is not cross-origin isolated', () => {
  let server: Server;
  test.beforeAll(async () => {
    server = await serveWithoutHeaders();
  });
  test.afterAll(() => server.close());

  test('says so, says what to do, and can be read', async ({ explorer, page }) => {
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
    const notice = page.getByRole('alert');
    await expect(notice).toContainText('not cross-origin isolated');
    await expect(notice).toContainText('Cross-Origin-Embedder-Policy: require-corp');
    await expect(notice).toContainText('npm start');
    await expect(explorer.button('Run')).toBeDisabled();
    await page.getByText('The story').click();
    await expect(page.getByText('one look-up per read and a reference count')).toBeVisible();
    await explorer.variant('One look-up, then a pin').check();
    await expect(page.getByText('counts a reference and keeps the pointer')).toBeVisible();
    await expect(explorer.panel('Reported and here')).toContainText('240,000');
    const reason = page.evaluate(() => window.latchscope.ready);
    await expect(reason).rejects.toThrow(/not cross-origin isolated/);
  });
});

test('the page as we serve it is isolated and loads nothing from elsewhere', async ({
  explorer,
  page,
  baseURL: base_url,
}) => {
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(base_url!))
      foreign.push(request.url());
  });
  await explorer.open();
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await explorer.start();
  await explorer.stop();
  expect(foreign).toEqual([]);
});
