// Figures of the table that the README and lessons quote. reproduction.json says where, and npm run reproduce
// -- --update writes them there.

/**
 * @typedef {object} Quote
 * @property {string} in file, from the root of the repository
 * @property {string} before the text before the number, on the same line; # stands for any other number, spaces do not count
 * @property {string} after the text after it
 * @property {string} label of the row whose figure is quoted
 * @property {'here' | 'least' | 'most'} [value] of several looks: their median, the fewest, the most
 * @property {number} [times] for another unit
 * @typedef {{ label: string, here: number, samples: { least: number, most: number } | null }} QuotedRow what is quoted of a row of
 *   the table
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
 * The figure with as many decimals as the quote has.
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
 * Writes these figures into the text.
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
