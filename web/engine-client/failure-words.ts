// Browsers and Emscripten report exhausted memory in many different texts.
const noMemory = /\bOOM\b|out of memory|enlarge memory|allocation failed|could not allocate/i;

/** Returns the text of a failure, preceded by its meaning if the text alone is unclear. */
export function inPlainWords(text: string): string {
  return noMemory.test(text) ? `The engine ran out of memory. ${text}` : text;
}
