// Removes the caches of Latchscope's first service worker. Their names did not contain the page's
// folder.
//
// That worker matched requests as the browser's own cache does. On hosts that vary responses by
// `Origin`, it did not find files requested with `crossorigin`. A page that it opens stays blank
// and cannot repair itself.

const FIRST_PREFIX = 'latchscope-';

/** Returns the names of its caches with files of the page in `folder`. */
export async function firstCachesOf(folder: string): Promise<string[]> {
  const names = (await caches.keys()).filter((name) => name.startsWith(FIRST_PREFIX));
  const isOurs = await Promise.all(names.map(async (name) => (await ownRequests(name, folder)).length > 0));
  return names.filter((_, i) => isOurs[i]);
}

/** Reports whether pages in `folder` that it opens stay blank. */
export async function opensBlankPages(folder: string): Promise<boolean> {
  for (const name of await firstCachesOf(folder)) {
    const cache = await caches.open(name);
    for (const request of await ownRequests(name, folder)) {
      const response = await cache.match(request, { ignoreVary: true });
      if (response !== undefined && !isFound(request, response)) return true;
    }
  }
  return false;
}

/**
 * Deletes its files of the page in `folder`, but no others: a page elsewhere on this origin may
 * have the same build.
 */
export async function dropFirstCache(name: string, folder: string): Promise<void> {
  const cache = await caches.open(name);
  for (const request of await ownRequests(name, folder)) await cache.delete(request, { ignoreVary: true });
  if ((await cache.keys()).length === 0) await caches.delete(name);
}

function isFound(request: Request, { headers }: Response): boolean {
  if (request.url.endsWith('.html')) return true;
  const isHtml = headers.get('Content-Type')?.startsWith('text/html') ?? false;
  const variesBy =
    headers
      .get('Vary')
      ?.toLowerCase()
      .split(/\s*,\s*/) ?? [];
  return !isHtml && variesBy.every((name) => name === 'accept-encoding');
}

async function ownRequests(name: string, folder: string): Promise<readonly Request[]> {
  const requests = await (await caches.open(name)).keys();
  return requests.filter(
    ({ url }) => url.startsWith(folder) && /^(assets\/)?[^/]+$/.test(url.slice(folder.length)),
  );
}
