// Text from outside (a link, a file, a field), made safe to show in a sentence.

/** Of a printed text. */
export const PRINTABLE_CHARACTERS_MAX = 120;

// Controls, what turns the direction of text or has no width, line and paragraph separators, half of a surrogate pair.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Without anything that `printable` would escape. */
export const isVisible = (text: string) => text.search(HIDDEN) < 0;

const escaped = (text: string) =>
  text.replaceAll(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);

/**
 * Short enough for a sentence, on one line, with every character visible; of a longer text the beginning and how long it is.
 * Printing it twice changes nothing.
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
