// What the caches of the page are called. All pages of an origin share its caches, so a name says which page it belongs to: the
// one in this folder. No path holds a space.

/** What the names of all caches of the page in `folder` begin with; the version of a build follows. */
export function cachePrefix(folder: string): string {
  return `latchscope ${new URL(folder).pathname} `;
}

/** The names of all caches of the page in `folder`. */
export async function cachesOf(folder: string): Promise<string[]> {
  const names = await caches.keys();
  return names.filter((name) => name.startsWith(cachePrefix(folder)));
}
