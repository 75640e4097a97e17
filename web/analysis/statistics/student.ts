// Computes Student's t distribution for whole degrees of freedom, where its integral is a finite
// sum. Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), 26.7.3 and 26.7.4.

const CONFIDENCE = 0.95;
/** More bisections do not change a double. */
const HALVINGS = 60;

/** Returns half the width of a 95 % interval in standard errors: the 97.5th percentile. */
export function studentT95(degrees_of_freedom: number): number {
  let [low, high] = [0, Math.PI / 2];
  for (let i = 0; i < HALVINGS; i += 1) {
    const middle = (low + high) / 2;
    if (probabilityWithin(middle, degrees_of_freedom) < CONFIDENCE) low = middle;
    else high = middle;
  }
  return Math.sqrt(degrees_of_freedom) * Math.tan(low);
}

/** Returns the probability that t is between -t and t, where t = √ν tan θ. */
function probabilityWithin(theta: number, degrees_of_freedom: number): number {
  const is_odd = degrees_of_freedom % 2 === 1;
  const [sine, cosine] = [Math.sin(theta), Math.cos(theta)];
  let sum = 0;
  let term = is_odd ? cosine : 1;
  for (let power = is_odd ? 1 : 0; power <= degrees_of_freedom - 2; power += 2) {
    sum += term;
    term *= ((power + 1) / (power + 2)) * cosine ** 2;
  }
  return is_odd ? (2 / Math.PI) * (theta + sine * sum) : sine * sum;
}
