// Defines the messages from embed.html to the page that frames it.

/** The window name of a frame that <latchscope-run> made. */
export const ELEMENT_FRAME = 'latchscope-run';

/** `size`: the height of the content. `open`: the reader wants to open `href`, a page of Latchscope. */
export type EmbedMessage =
  { kind: 'latchscope:size'; heightPx: number } | { kind: 'latchscope:open'; href: string };

/** Returns the message in `data`, which any page may have sent; null if it is none. */
export function embedMessageIn(data: unknown): EmbedMessage | null {
  if (typeof data !== 'object' || data === null) return null;
  const { kind, heightPx, href } = data as Record<string, unknown>;
  if (kind === 'latchscope:size' && typeof heightPx === 'number' && Number.isFinite(heightPx))
    return { kind, heightPx };
  return kind === 'latchscope:open' && typeof href === 'string' ? { kind, href } : null;
}
