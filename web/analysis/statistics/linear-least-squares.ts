// Least squares for a few coefficients, by the singular values of the rows.
import { Matrix, SVD } from 'ml-matrix';

/** Coefficients c that make the weighted squares of y − X c least; null if the columns of X do not determine them. */
export function linearLeastSquares(
  rows: readonly (readonly number[])[],
  values: readonly number[],
  weights: readonly number[],
): number[] | null {
  const roots = weights.map(Math.sqrt);
  const solved = decompose(rows.map((row, i) => row.map((entry) => entry * roots[i]!)));
  const right_side = Matrix.columnVector(values.map((value, i) => value * roots[i]!));
  return solved?.svd.solve(right_side).divColumnVector(solved.sizes).to1DArray() ?? null;
}

/** (XᵀX)⁻¹, which times the variance of a residual is the covariance of the coefficients; null if it does not exist. */
export function inverseOfNormalMatrix(rows: readonly (readonly number[])[]): number[][] | null {
  const solved = decompose(rows);
  if (solved === null) return null;
  const inverse = solved.svd.inverse().divColumnVector(solved.sizes);
  return inverse.mmul(inverse.transpose()).to2DArray();
}

/** Of columns that are this much longer in one direction than in another, the rounding of a double decides. */
const CONDITION_MAX = 1e6;

/** Columns of very different size are brought to the same, so that their condition means something. */
function decompose(rows: readonly (readonly number[])[]): { svd: SVD; sizes: number[] } | null {
  const matrix = new Matrix(rows.map((row) => [...row]));
  const sizes = Array.from({ length: matrix.columns }, (_, i) => matrix.getColumnVector(i).norm());
  if (sizes.some((size) => !(size > 0))) return null;
  const svd = new SVD(matrix.divRowVector(sizes));
  return svd.condition < CONDITION_MAX ? { svd, sizes } : null;
}
