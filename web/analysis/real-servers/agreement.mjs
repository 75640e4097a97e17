// When a server's count and the engine's are the same.

/** Counts agree within this part of the larger one, if their experiment says nothing else. */
const TOLERANCE = 0.02;
/** A count below one in this many operations comes from the server's own threads. */
const NEXT_TO_NOTHING = 0.03;

/** @param {{ measured: number, engine: number, tolerance?: number | undefined }} row */
export function agrees({ measured, engine, tolerance = TOLERANCE }) {
  const large = Math.max(Math.abs(measured), Math.abs(engine));
  return large < NEXT_TO_NOTHING || Math.abs(measured - engine) <= tolerance * large;
}
