// Makes text from outside (a link, a file, a field) safe to show in a sentence.

/** Maximum length of a printed text. */
export const PRINTABLE_CHARACTERS_MAX = 120;

// Control characters, characters without width or that change the direction of text, line and
// paragraph separators, and half of a surrogate pair.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Reports whether `printable` would escape nothing. */
export const isVisible = (text: string) => text.search(HIDDEN) < 0;

const escaped = (text: string) =>
  text.replaceAll(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);

/**
 * Makes a text short enough for a sentence, on one line, with all characters visible. For a longer
 * text, returns its beginning and its length. Applying it twice changes nothing.
 */
export function printable(text: string): string {
  const beginning = escaped(text.slice(0, PRINTABLE_CHARACTERS_MAX));
  if (text.length <= PRINTABLE_CHARACTERS_MAX && beginning.length <= PRINTABLE_CHARACTERS_MAX) {
    return beginning;
  }
  const end = `… (${text.length.toLocaleString('en')} characters)`;
  return withoutHalfPair(beginning.slice(0, PRINTABLE_CHARACTERS_MAX - end.length)) + end;
}

const withoutHalfPair = (text: string) => text.replace(/[\uD800-\uDBFF]$/, '');
