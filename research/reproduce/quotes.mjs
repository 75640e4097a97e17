// Writes figures into the documents that quote them. reproduction.json states the places.

/**
 * @typedef {object} Quote
 * @property {string} in file, from the root of the repository
 * @property {string} before the text before the number; # matches any other number,
 *   and spaces do not count
 * @property {string} after the text after it
 * @property {string} label of the row whose figure is quoted
 * @property {'here' | 'least' | 'most'} [value] which value of several samples to quote: the
 *   median, the least or the most
 * @property {number} [times] a factor, for another unit
 * @typedef {{ label: string, here: number, samples: { least: number, most: number } | null }}
 *   QuotedRow the fields of a row that documents quote
 */

const NUMBER = String.raw`\d[\d,]*(?:\.\d+)?`;

/** @param {string} text */
const asPattern = (text) =>
  text
    .replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replace(/\s+/g, ' ')
    .replaceAll('#', NUMBER)
    .replaceAll(' ', String.raw`[ \n]+`);

/**
 * Formats the figure with the decimals of the quoted number.
 * @param {string} quoted
 * @param {number} value
 */
function inDigitsOf(quoted, value) {
  const decimals = quoted.split('.')[1]?.length ?? 0;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return value.toLocaleString('en-US', digits);
}

/**
 * @param {Quote} quote
 * @param {QuotedRow[]} rows
 */
function valueOf({ label, value = 'here', times = 1 }, rows) {
  const row = rows.find((one) => one.label === label);
  const found = value === 'here' ? row?.here : row?.samples?.[value];
  if (found === undefined) throw new Error(`quoted: no row "${label}" with ${value}`);
  return found * times;
}

/**
 * Returns the text with the current figures.
 * @param {string} text
 * @param {Quote[]} quotes of this text
 * @param {QuotedRow[]} rows of the scenario
 */
export function withQuotes(text, quotes, rows) {
  return quotes.reduce((soFar, quote) => {
    const place = new RegExp(`(${asPattern(quote.before)})(${NUMBER})(?=${asPattern(quote.after)})`, 'g');
    const found = [...soFar.matchAll(place)];
    if (found.length !== 1)
      throw new Error(
        `${quote.in}: "${quote.before}": got ${found.length} such places with a number; allowed: one`,
      );
    return soFar.replace(
      place,
      (_, before, quoted) => `${before}${inDigitsOf(quoted, valueOf(quote, rows))}`,
    );
  }, text);
}
