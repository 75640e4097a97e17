/* global BUILD: readonly -- who serves the file puts it before the first line */
// The first service worker of Latchscope, which some readers may still have. The host of a test
// puts the definition of `BUILD` in front.
const CACHE_PREFIX = 'latchscope-';
const CACHE = `${CACHE_PREFIX}${BUILD.version}`;
const PAGE = './index.html';
const isolationHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Document-Isolation-Policy': 'isolate-and-credentialless',
};

self.addEventListener('install', (event) => event.waitUntil(keepFiles()));
self.addEventListener('activate', (event) => {
  event.waitUntil(dropOlderFiles().then(() => self.clients.claim()));
});
self.addEventListener('message', (event) => {
  if (event.data.kind === 'take_over') void self.skipWaiting();
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(answer(request));
});

async function keepFiles() {
  const cache = await caches.open(CACHE);
  await cache.addAll(BUILD.files.map((file) => new Request(file, { cache: 'reload' })));
}

async function dropOlderFiles() {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE);
  await Promise.all(older.map((name) => caches.delete(name)));
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request.mode === 'navigate' ? PAGE : request, { ignoreSearch: true });
  return isolated(kept ?? (await fetch(request)));
}

function isolated(response) {
  if (response.type === 'opaque' || response.type === 'error') return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(isolationHeaders)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}
