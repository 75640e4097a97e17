import { createReadStream, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const dist = path.join(import.meta.dirname, '../dist');
const content_types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

export interface StaticHost {
  url: string;
  /** From now on it serves what looks like another build. */
  deployAnotherBuild: () => void;
  close: () => void;
}

const SERVICE_WORKER = '/service-worker.js';

/** Serves the built page without any headers of its own, as many hosts do. */
export function serveWithoutHeaders(): Promise<StaticHost> {
  let builds = 1;
  const server = createServer((request, response) => {
    const name = request.url === '/' ? '/index.html' : (request.url ?? '');
    const file = path.join(dist, path.normalize(name));
    response.setHeader('Content-Type', content_types[path.extname(file)] ?? 'application/octet-stream');
    if (name === SERVICE_WORKER && builds > 1) {
      response.end(readFileSync(file, 'utf8').replace(/(version:\s*[`'"])/, `$1${builds}`));
      return;
    }
    createReadStream(file)
      .on('error', () => response.writeHead(404).end())
      .pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        url: `http://127.0.0.1:${port}/`,
        deployAnotherBuild: () => {
          builds += 1;
        },
        close: () => {
          server.close();
          server.closeAllConnections();
        },
      });
    });
  });
}
