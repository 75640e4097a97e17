// Solves least squares for a few coefficients, by the singular value decomposition of the rows.
import { Matrix, SVD } from 'ml-matrix';

/**
 * Returns the coefficients c that minimize the weighted squares of y − X c; null if the columns of
 * X do not determine them.
 */
export function linearLeastSquares(
  rows: readonly (readonly number[])[],
  values: readonly number[],
  weights: readonly number[],
): number[] | null {
  const roots = weights.map(Math.sqrt);
  const solved = decompose(rows.map((row, i) => row.map((entry) => entry * roots[i]!)));
  const rightSide = Matrix.columnVector(values.map((value, i) => value * roots[i]!));
  return solved?.svd.solve(rightSide).divColumnVector(solved.sizes).to1DArray() ?? null;
}

/**
 * Returns (XᵀX)⁻¹, or null if it does not exist. Multiplied by the variance of a residual, it is
 * the covariance of the coefficients.
 */
export function inverseOfNormalMatrix(rows: readonly (readonly number[])[]): number[][] | null {
  const solved = decompose(rows);
  if (solved === null) return null;
  const inverse = solved.svd.inverse().divColumnVector(solved.sizes);
  return inverse.mmul(inverse.transpose()).to2DArray();
}

/** Above this condition number, double rounding dominates the result. */
const CONDITION_MAX = 1e6;

/**
 * Scales columns of very different sizes to the same size, so that their condition number is
 * meaningful.
 */
function decompose(rows: readonly (readonly number[])[]): { svd: SVD; sizes: number[] } | null {
  const matrix = new Matrix(rows.map((row) => [...row]));
  const sizes = Array.from({ length: matrix.columns }, (_, i) => matrix.getColumnVector(i).norm());
  if (sizes.some((size) => !(size > 0))) return null;
  const svd = new SVD(matrix.divRowVector(sizes));
  return svd.condition < CONDITION_MAX ? { svd, sizes } : null;
}
