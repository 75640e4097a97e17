import { DASH } from '../analysis/format';
import type { Estimate } from '../contract/what-if-report';

interface EstimateCellProps {
  estimate: Estimate;
  format: (value: number) => string;
}

/** Renders a table cell with a mean over seeds and its 95 % interval below. */
export function EstimateCell({ estimate: { mean, low, high }, format }: EstimateCellProps) {
  return (
    <td>
      {mean === null ? DASH : format(mean)}
      {low !== undefined && (
        <span className="muted figure-conditions">
          ({format(low)} to {format(high!)})
        </span>
      )}
    </td>
  );
}

export function estimateInWords({ mean, low, high }: Estimate, format: (value: number) => string): string {
  if (mean === null) return DASH;
  return low === undefined ? format(mean) : `${format(mean)} (${format(low)} to ${format(high!)})`;
}
