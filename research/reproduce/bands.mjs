// Computes the bands of figures. reproduction.json states each band by hand before the figure is
// known, and the reported value gives its limits. No command writes bands.

/** The meaning of a band's `share`, to either side of the reported value. */
export const SHARES = {
  'a hundredth': 0.01,
  'a twentieth': 0.05,
  'a tenth': 0.1,
  'a fifth': 0.2,
  'three tenths': 0.3,
};

/** The widest share that needs no reason, by the row's basis. */
const USUAL_SHARE = {
  predicted: SHARES['a tenth'],
  selected: SHARES['a tenth'],
  fitted: SHARES['a twentieth'],
  follows: SHARES['a twentieth'],
  counted: SHARES['a hundredth'],
};

/**
 * @typedef {{ share?: string, one_sample_of?: number, low?: number, high?: number, why?: string }}
 *   StatedBand
 * @typedef {[number, number]} Band
 */

const ends = (value) => (Array.isArray(value) ? value : [value, value]);

/** Two standard deviations of a count from one sample of this many threads, to either side. */
function bandOfOneSample(count, threads) {
  const deviation = Math.sqrt((count * (threads - count)) / threads);
  return [Math.max(0, count - 2 * deviation), Math.min(threads, count + 2 * deviation)];
}

/**
 * @param {StatedBand | undefined} stated
 * @param {number | [number, number]} reported
 * @returns {Band | null}
 */
export function bandOf(stated, reported) {
  if (stated === undefined) return null;
  if (stated.low !== undefined) return [stated.low, stated.high];
  if (stated.one_sample_of !== undefined) return bandOfOneSample(reported, stated.one_sample_of).map(toFour);
  const [low, high] = ends(reported);
  const share = SHARES[stated.share];
  return [low * (1 - share), high * (1 + share)].map(toFour);
}

const toFour = (value) => (value >= 1000 ? Math.round(value) : Number(value.toPrecision(4)));

/**
 * Describes the source of the band.
 * @param {StatedBand | undefined} stated
 */
export function bandInWords(stated) {
  if (stated === undefined) return null;
  const why = stated.why === undefined ? '' : `: ${stated.why}`;
  if (stated.low !== undefined) return stated.why;
  if (stated.one_sample_of !== undefined)
    return `two standard deviations of one sample of ${stated.one_sample_of} threads${why}`;
  return `${stated.share} to either side${why}`;
}

/**
 * @param {StatedBand} stated
 * @param {string} basis
 * @returns {string | null} the fault of the band; null if it has none
 */
export function bandFault(stated, basis) {
  const forms = ['share', 'one_sample_of', 'low'].filter((field) => stated[field] !== undefined);
  if (forms.length !== 1 || (stated.low === undefined) !== (stated.high === undefined))
    return 'one of share; one_sample_of; low, high and why';
  if (stated.low !== undefined && stated.low > stated.high) return 'the lower end first';
  const isUsual = stated.share !== undefined && SHARES[stated.share] <= USUAL_SHARE[basis];
  if (!isUsual && stated.one_sample_of === undefined && stated.why === undefined)
    return `a why: only a band no wider than usual for what was ${basis} needs none`;
  return null;
}
