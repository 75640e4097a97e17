// Names the caches of the page. All pages of an origin share its caches, so a name contains the
// folder of its page. Paths contain no blanks.

/**
 * Returns the prefix of all cache names of the page in `folder`; the version of a build follows.
 */
export function cachePrefix(folder: string): string {
  return `latchscope ${new URL(folder).pathname} `;
}

/** Returns the names of all caches of the page in `folder`. */
export async function cachesOf(folder: string): Promise<string[]> {
  const names = await caches.keys();
  return names.filter((name) => name.startsWith(cachePrefix(folder)));
}
