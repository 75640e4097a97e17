// Keeps the page for use without a network, and answers with the headers that isolate it, which a static host may not be
// able to send. So after one visit the page runs real threads, and offline, wherever it is served from.
//
// All files of one build are kept together, under its version. A newer build is fetched beside it and takes over when no
// page uses the older one any more, or when the reader says so: no page ever mixes the files of two builds.
import { isolation_headers } from './isolation-headers';
import type { OfflineMessage } from './messages';

declare const self: ServiceWorkerGlobalScope;
/** Put in by the build (build/offline.ts). */
declare const BUILD: { version: string; files: string[] };

const CACHE_PREFIX = 'latchscope-';
const CACHE = `${CACHE_PREFIX}${BUILD.version}`;
const PAGE = './index.html';

self.addEventListener('install', (event) => {
  event.waitUntil(keepFiles());
});
self.addEventListener('activate', (event) => {
  event.waitUntil(dropOlderFiles().then(() => self.clients.claim()));
});
self.addEventListener('message', (event) => {
  const { kind } = event.data as Partial<OfflineMessage>;
  if (kind === 'take_over') void self.skipWaiting();
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(answer(request));
});

async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Past the browser's own cache, where files of an older build may lie.
  await cache.addAll(BUILD.files.map((file) => new Request(file, { cache: 'reload' })));
}

async function dropOlderFiles(): Promise<void> {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.mode === 'navigate' ? PAGE : request, { ignoreSearch: true });
  return isolated(kept ?? (await fetch(request)));
}

function isolated(response: Response): Response {
  if (response.type === 'opaque' || response.type === 'error') return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(isolation_headers)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
