// Browsers and Emscripten say in many ways that there is no memory left.
const NO_MEMORY = /\bOOM\b|out of memory|enlarge memory|allocation failed|could not allocate/i;

/** The text of a failure, with what it means before it where the text alone would not tell a reader. */
export function inPlainWords(text: string): string {
  return NO_MEMORY.test(text) ? `The engine ran out of memory. ${text}` : text;
}
