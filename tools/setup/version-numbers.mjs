/**
 * Finds the first dotted version number in a program's `--version` output.
 * @param {string} text
 * @returns {string | null} such as '3.1.69'
 */
export function findVersion(text) {
  return /\d+(?:\.\d+)+/.exec(text)?.[0] ?? null;
}

/**
 * Compares dotted version numbers part by part; missing parts count as 0.
 * @param {string} a
 * @param {string} b
 * @returns {number} negative, zero or positive
 */
export function compareVersions(a, b) {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  for (let part = 0; part < Math.max(left.length, right.length); part += 1) {
    const difference = (left[part] ?? 0) - (right[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * @param {string | null} version
 * @param {{ atLeast: string, below: string }} range
 * @returns {boolean}
 */
export function isAccepted(version, { atLeast, below }) {
  return version !== null && compareVersions(version, atLeast) >= 0 && compareVersions(version, below) < 0;
}

/**
 * @param {{ atLeast: string, below: string }} range
 * @returns {string} for messages
 */
export function describeRange({ atLeast, below }) {
  return `>= ${atLeast} and < ${below}`;
}
