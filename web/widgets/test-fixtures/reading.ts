/** Returns the text of each element. */
export const textsOf = (elements: Iterable<Element>): string[] =>
  [...elements].map((element) => element.textContent);

/**
 * Returns what a chart has drawn on its canvas, as vitest-canvas-mock records it; `clear` forgets
 * it.
 */
export function drawingsOn(canvas: HTMLCanvasElement): {
  events: () => unknown[];
  calls: () => { type: string; props: Record<string, number> }[];
  clear: () => void;
} {
  const context = canvas.getContext('2d') as unknown as Record<string, () => never[]>;
  return {
    events: () => context.__getEvents!(),
    calls: () => context.__getDrawCalls!(),
    clear: () => context.__clearEvents!(),
  };
}
