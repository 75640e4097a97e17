// Decides whether a server's count and the engine's count agree.

/** Default tolerance, as a share of the larger count; an experiment may set its own. */
const TOLERANCE = 0.02;
/** Smaller counts per operation come from the server's own threads. */
const NEXT_TO_NOTHING = 0.03;

/** @param {{ measured: number, engine: number, tolerance?: number | undefined }} row */
export function agrees({ measured, engine, tolerance = TOLERANCE }) {
  const large = Math.max(Math.abs(measured), Math.abs(engine));
  return large < NEXT_TO_NOTHING || Math.abs(measured - engine) <= tolerance * large;
}
