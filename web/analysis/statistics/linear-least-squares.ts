// Least squares for a few coefficients, by the normal equations.

/** Coefficients c that make the weighted squares of y − X c least; null if the columns of X do not determine them. */
export function linearLeastSquares(
  rows: readonly (readonly number[])[],
  values: readonly number[],
  weights: readonly number[],
): number[] | null {
  const inverse = inverseOfNormalMatrix(rows, weights);
  if (inverse === null) return null;
  const moments = columnsOf(rows).map((column) =>
    column.reduce((sum, entry, i) => sum + weights[i]! * entry * values[i]!, 0),
  );
  return inverse.map((row) => row.reduce((sum, entry, i) => sum + entry * moments[i]!, 0));
}

/** (XᵀWX)⁻¹, which times the variance of a residual is the covariance of the coefficients; null if it does not exist. */
export function inverseOfNormalMatrix(
  rows: readonly (readonly number[])[],
  weights: readonly number[] = rows.map(() => 1),
): number[][] | null {
  const columns = columnsOf(rows);
  // Columns of very different size are brought to the same, so that the elimination's smallest pivot means something.
  const sizes = columns.map((column) =>
    Math.hypot(...column.map((entry, i) => entry * Math.sqrt(weights[i]!))),
  );
  if (sizes.some((size) => !(size > 0))) return null;
  const matrix = columns.map((left, j) =>
    columns.map(
      (right, k) =>
        left.reduce((sum, entry, i) => sum + weights[i]! * entry * right[i]!, 0) / (sizes[j]! * sizes[k]!),
    ),
  );
  return inverseOf(matrix)?.map((row, j) => row.map((entry, k) => entry / (sizes[j]! * sizes[k]!))) ?? null;
}

const columnsOf = (rows: readonly (readonly number[])[]) =>
  (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]!));

const SMALLEST_PIVOT = 1e-12;

/** Gauss and Jordan's elimination with row exchanges. */
function inverseOf(matrix: readonly (readonly number[])[]): number[][] | null {
  const size = matrix.length;
  const work = matrix.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let column = 0; column < size; column += 1) {
    let pivot_row = column;
    for (let i = column + 1; i < size; i += 1) {
      if (Math.abs(work[i]![column]!) > Math.abs(work[pivot_row]![column]!)) pivot_row = i;
    }
    [work[column], work[pivot_row]] = [work[pivot_row]!, work[column]!];
    const pivot = work[column]![column]!;
    if (Math.abs(pivot) < SMALLEST_PIVOT) return null;
    work[column] = work[column]!.map((entry) => entry / pivot);
    for (let i = 0; i < size; i += 1) {
      const factor = work[i]![column]!;
      if (i !== column) work[i] = work[i]!.map((entry, j) => entry - factor * work[column]![j]!);
    }
  }
  return work.map((row) => row.slice(size));
}
