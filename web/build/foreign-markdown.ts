// Finds Markdown that the page must not contain: parts that a reader of the file does not see.
import type { Marked, Token, Tokens } from 'marked';

interface ForeignPart {
  /** As written in the file. */
  raw: string;
  allowed: string;
}

/** Returns HTML, pictures, and links that do not lead to the web. */
export function foreignParts(marked: Marked, tokens: Token[]): ForeignPart[] {
  const found: ForeignPart[] = [];
  void marked.walkTokens(tokens, ({ type, raw, ...rest }) => {
    if (type === 'html') found.push({ raw, allowed: 'Markdown, no HTML' });
    if (type === 'image') found.push({ raw, allowed: 'no pictures' });
    if (type === 'link' && !(rest as Tokens.Link).href.startsWith('https://'))
      found.push({ raw, allowed: 'links that begin with https://' });
  });
  return found;
}
