// Defines the figures of a report as the virtual server reproduces them.

/** The fields of a figure that a card shows. */
export interface ReproducedFigure {
  /** Id of the reported figure. */
  figure: string;
  label: string;
  /** null if no such figure has been published. */
  reported: number | readonly [number, number] | null;
  here: number;
}

/**
 * A reported figure and its value on the virtual server: from scenarios/reproduction-results.json.
 */
export interface ReproductionRow extends ReproducedFigure {
  scenario: string;
  unit: string;
  /**
   * Number, minimum and maximum of the samples whose median `here` is; null if it is not a median.
   */
  samples: { count: number; least: number; most: number } | null;
  /** here / reported, by the nearer end of a range, 1 inside; null if the two are not compared. */
  ratio: number | null;
  /** The basis of `here`; only a prediction is evidence. */
  basis: 'predicted' | 'selected' | 'fitted' | 'counted' | 'follows';
  /** The range that `here` must be in, stated before the run; null if the two are not compared. */
  band: readonly [number, number] | null;
  /** Why `here` is outside its range; null if it is inside. */
  misses: string | null;
  note: string;
}
