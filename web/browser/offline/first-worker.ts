// What the first service worker of Latchscope has left on a reader's device. Its caches were called without the page's folder.
// It looked files up as the browser does for itself: where a host varies its answers by `Origin`, it found none that is asked for
// with `crossorigin`. A page that it opened then stays blank, and cannot help itself.

const FIRST_PREFIX = 'latchscope-';

/** The names of its caches that hold files of the page in `folder`. */
export async function firstCachesOf(folder: string): Promise<string[]> {
  const names = (await caches.keys()).filter((name) => name.startsWith(FIRST_PREFIX));
  const is_ours = await Promise.all(names.map(async (name) => (await ownRequests(name, folder)).length > 0));
  return names.filter((_, i) => is_ours[i]);
}

/** Whether pages in `folder` that it opens stay blank. */
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

/** Deletes what it has kept of the page in `folder`; a page elsewhere on this origin may have the same build. */
export async function dropFirstCache(name: string, folder: string): Promise<void> {
  const cache = await caches.open(name);
  for (const request of await ownRequests(name, folder)) await cache.delete(request, { ignoreVary: true });
  if ((await cache.keys()).length === 0) await caches.delete(name);
}

function isFound(request: Request, { headers }: Response): boolean {
  if (request.url.endsWith('.html')) return true;
  const is_html = headers.get('Content-Type')?.startsWith('text/html') ?? false;
  const varies_by =
    headers
      .get('Vary')
      ?.toLowerCase()
      .split(/\s*,\s*/) ?? [];
  return !is_html && varies_by.every((name) => name === 'accept-encoding');
}

async function ownRequests(name: string, folder: string): Promise<readonly Request[]> {
  const requests = await (await caches.open(name)).keys();
  return requests.filter(
    ({ url }) => url.startsWith(folder) && /^(assets\/)?[^/]+$/.test(url.slice(folder.length)),
  );
}
