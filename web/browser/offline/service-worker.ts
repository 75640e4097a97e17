// Stores the page for offline use, and adds the headers that isolate it, which a static host may
// not be able to send. After one visit, the page runs real threads and works offline on any host.
//
// All files of one build are stored together under its version, and their digests are checked. A
// newer build is fetched into another cache. It takes over when no page uses the older one, or when
// the reader decides so. Open pages of the older build keep its files until they are closed: no
// page ever mixes the files of two builds.
import {
  contentSecurityPolicy,
  EMBED_PAGE,
  hardeningHeaders,
  HASHED_FOLDER,
  isolationHeadersOf,
} from '../../contract/response-headers.mjs';
import { cachePrefix, cachesOf } from './caches';
import type { OfflineMessage, OfflineNews } from './messages';

declare const self: ServiceWorkerGlobalScope;
/**
 * Prepended by the build (build/scripts.ts): each file with its digest, as in subresource
 * integrity. Pages of other builds read this line (offline/rescue.ts).
 */
declare const BUILD: { version: string; files: Record<string, string> };

/**
 * The folder of this page. Other pages may share its origin, so nothing outside the folder belongs
 * to this one.
 */
const FOLDER = new URL('./', self.location.href).href;
const CACHE = `${cachePrefix(FOLDER)}${BUILD.version}`;
const PAGE = 'index.html';
/** A newer host's page needs that host's files, so a lost page is fetched without its digest. */
const PAGES = [PAGE, EMBED_PAGE];
/** An entry of the cache that is not a file. */
const OLDER_BUILDS = 'older-builds.json';
/**
 * A parameter of the page's address: deletes all stored files, and opens the page as on a first
 * visit.
 */
const AFRESH = '?afresh';

/** Builds that existed before this one took over. */
interface OlderBuilds {
  caches: string[];
  /** Pages that were open at that time, and may use those builds. */
  clients: string[];
}

self.addEventListener('install', (event) => {
  event.waitUntil(install());
});
self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});
self.addEventListener('message', (event) => {
  const { kind } = event.data as Partial<OfflineMessage>;
  if (kind === 'take_over') void self.skipWaiting();
  if (kind === 'page_opened') event.waitUntil(dropOlderBuilds());
});
self.addEventListener('fetch', (event) => {
  const file = fileAskedFor(event.request);
  if (file !== null) event.respondWith(answer(file, event.request));
});

async function install(): Promise<void> {
  // The active worker may have it already, if the two differ only in the worker's code.
  const wasThere = await caches.has(CACHE);
  try {
    await keepFiles();
  } catch (error) {
    await dropPartOfBuild(wasThere);
    if (isOutOfSpace(error)) await tellPages({ kind: 'no_room' });
    throw error;
  }
}

async function keepFiles(): Promise<void> {
  const cache = await caches.open(CACHE);
  await Promise.all(
    Object.keys(BUILD.files).map(async (file) => cache.put(addressOf(file), await fetchVerified(file))),
  );
}

/**
 * Removes an incomplete build. Without an active worker, the caches of earlier attempts are also
 * unused.
 */
async function dropPartOfBuild(wasThere: boolean): Promise<void> {
  const isFirst = self.registration.active === null;
  const names = isFirst ? await cachesOf(FOLDER) : wasThere ? [] : [CACHE];
  await Promise.all(names.map((name) => caches.delete(name)));
}

const isOutOfSpace = (error: unknown) => error instanceof Error && error.name === 'QuotaExceededError';

async function tellPages(news: OfflineNews): Promise<void> {
  for (const page of await openPages()) page.postMessage(news);
}

async function takeOver(): Promise<void> {
  // Not awaited: in Firefox it never resolves for an isolated page, and a worker answers only once
  // it is activated.
  void self.clients.claim();
  await rememberOlderBuilds();
  await dropOlderBuilds();
}

async function rememberOlderBuilds(): Promise<void> {
  const older: OlderBuilds = {
    caches: (await cachesOf(FOLDER)).filter((name) => name !== CACHE),
    clients: (await openPages()).map(({ id }) => id),
  };
  await (await caches.open(CACHE)).put(addressOf(OLDER_BUILDS), new Response(JSON.stringify(older)));
}

/** Does nothing while a page may still need their files. */
async function dropOlderBuilds(): Promise<void> {
  const older = await olderBuilds();
  const open = await openPages();
  if (open.some(({ id }) => older.clients.includes(id))) return;
  await Promise.all(older.caches.map((name) => caches.delete(name)));
  await (await caches.open(CACHE)).delete(addressOf(OLDER_BUILDS));
}

async function olderBuilds(): Promise<OlderBuilds> {
  const entry = await keptIn(CACHE, OLDER_BUILDS);
  return entry === undefined ? { caches: [], clients: [] } : ((await entry.json()) as OlderBuilds);
}

async function openPages(): Promise<WindowClient[]> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return windows.filter(({ url }) => PAGES.includes(pathBelowFolder(url) ?? ''));
}

/**
 * Returns the requested file of this page, as a path below its folder; null: leave it to the
 * network.
 */
function fileAskedFor({ method, url, cache }: Request): string | null {
  // `reload` asks for the host's file.
  if (method !== 'GET' || cache === 'reload') return null;
  const path = pathBelowFolder(url);
  if (path === null) return null;
  return path.startsWith(HASHED_FOLDER) || Object.hasOwn(BUILD.files, path) ? path : null;
}

function pathBelowFolder(url: string): string | null {
  const { origin, pathname } = new URL(url);
  if (!`${origin}${pathname}`.startsWith(FOLDER)) return null;
  return `${origin}${pathname}`.slice(FOLDER.length) || PAGE;
}

async function answer(file: string, request: Request): Promise<Response> {
  const { search } = new URL(request.url);
  if (file === PAGE && search === AFRESH && (await isThrownAway())) return Response.redirect(FOLDER);
  const kept = await keptFile(file).catch(() => undefined);
  return guarded(file, kept ?? (await fetchLost(file, request)));
}

/**
 * Deletes all stored files of this page, unless the host is unreachable. Returns whether it did.
 */
async function isThrownAway(): Promise<boolean> {
  const page = await fetch(addressOf(PAGE), { cache: 'reload' }).catch(() => null);
  if (!page?.ok) return false;
  await self.registration.unregister();
  await Promise.all((await cachesOf(FOLDER)).map((name) => caches.delete(name)));
  return true;
}

async function keptFile(file: string): Promise<Response | undefined> {
  const kept = await keptIn(CACHE, file);
  if (kept !== undefined || !file.startsWith(HASHED_FOLDER)) return kept;
  const older = await olderBuilds();
  for (const name of older.caches) {
    const keptBefore = await keptIn(name, file);
    if (keptBefore !== undefined) return keptBefore;
  }
  return undefined;
}

function keptIn(cacheName: string, file: string): Promise<Response | undefined> {
  return caches.match(addressOf(file), { cacheName, ignoreVary: true });
}

/** Fetches a file that this browser has lost, or that belongs to another build. */
async function fetchLost(file: string, request: Request): Promise<Response> {
  if (PAGES.includes(file) || !Object.hasOwn(BUILD.files, file)) return fetch(request);
  const response = await fetchVerified(file);
  const again = response.clone();
  // If there is no space for it, it is fetched again the next time.
  void caches
    .open(CACHE)
    .then((cache) => cache.put(addressOf(file), again))
    .catch(() => undefined);
  return response;
}

/** Headers that the host decides; its other headers concern the transport. */
const hostDecides = [
  'Content-Type',
  'Content-Security-Policy',
  'X-Frame-Options',
  'Permissions-Policy',
  'Referrer-Policy',
];

/** Fetches a file, bypassing the browser's cache; fails if it differs from the build's file. */
async function fetchVerified(file: string): Promise<Response> {
  const response = await fetch(addressOf(file), { cache: 'reload', integrity: BUILD.files[file]! });
  const headers = new Headers();
  for (const name of hostDecides) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(response.body, { headers });
}

/**
 * Adds all headers that isolate the page, and the others where the host sends none. The host
 * decides which pages may frame it.
 */
function guarded(file: string, response: Response): Response {
  if (response.status === 0) return response;
  const headers = new Headers({ ...hardeningHeaders, 'Content-Security-Policy': contentSecurityPolicy });
  for (const [name, value] of response.headers) headers.set(name, value);
  for (const [name, value] of Object.entries(isolationHeadersOf(file))) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

const addressOf = (file: string) => `${FOLDER}${file}`;
