// Replaces d3-interpolate in the page (vite.config.ts). d3-scale needs it for numbers only here, and
// the original would load interpolation of colors, dates and texts with the first view.

type Interpolation = (a: number, b: number) => (t: number) => number;

export const interpolateNumber: Interpolation = (a, b) => (t) => a * (1 - t) + b * t;

export const interpolateRound: Interpolation = (a, b) => (t) => Math.round(a * (1 - t) + b * t);

// d3-scale names `piecewise` only in scales that the page does not have.
export { interpolateNumber as interpolate, interpolateNumber as piecewise };
