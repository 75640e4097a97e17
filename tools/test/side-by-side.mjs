// Runs work items concurrently, a few at a time, in order.

/**
 * @template Item, Result
 * @param {Item[]} items
 * @param {number} atOnce
 * @param {(item: Item) => Promise<Result>} work
 * @returns {Promise<Result[]>} in the order of the items
 */
export async function sideBySide(items, atOnce, work) {
  const results = new Array(items.length);
  let next = 0;
  const one = async () => {
    while (next < items.length) {
      const i = next;
      next += 1;
      results[i] = await work(items[i]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, one));
  return results;
}
