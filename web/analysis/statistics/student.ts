// Computes Student's t distribution for whole degrees of freedom, where its integral is a finite
// sum. Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4.

/** More bisections do not change a double. */
const HALVINGS = 60;

/**
 * Returns half the width of an interval of this confidence in standard errors: for 0.95 the 97.5th
 * percentile.
 */
export function studentT(degreesOfFreedom: number, confidence = 0.95): number {
  let [low, high] = [0, Math.PI / 2];
  for (let i = 0; i < HALVINGS; i += 1) {
    const middle = (low + high) / 2;
    if (probabilityWithin(middle, degreesOfFreedom) < confidence) low = middle;
    else high = middle;
  }
  return Math.sqrt(degreesOfFreedom) * Math.tan(low);
}

/** Returns the probability that t is between -t and t, where t = √ν tan θ. */
function probabilityWithin(theta: number, degreesOfFreedom: number): number {
  const isOdd = degreesOfFreedom % 2 === 1;
  const [sine, cosine] = [Math.sin(theta), Math.cos(theta)];
  let sum = 0;
  let term = isOdd ? cosine : 1;
  for (let power = isOdd ? 1 : 0; power <= degreesOfFreedom - 2; power += 2) {
    sum += term;
    term *= ((power + 1) / (power + 2)) * cosine ** 2;
  }
  return isOdd ? (2 / Math.PI) * (theta + sine * sum) : sine * sum;
}
