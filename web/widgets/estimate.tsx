import { DASH } from '../analysis/format';
import type { Estimate } from '../contract/what-if-report';

interface EstimateFigureProps {
  estimate: Estimate;
  format: (value: number) => string;
}

/** Renders a mean over seeds, and its 95 % interval below, as the content of a table cell. */
export const EstimateFigure = ({ estimate: { mean, low, high }, format }: EstimateFigureProps) => (
  <>
    {mean === null ? DASH : format(mean)}
    {low !== undefined && (
      <span className="muted figure-conditions">
        ({format(low)} to {format(high!)})
      </span>
    )}
  </>
);

export function estimateInWords({ mean, low, high }: Estimate, format: (value: number) => string): string {
  if (mean === null) return DASH;
  return low === undefined ? format(mean) : `${format(mean)} (${format(low)} to ${format(high!)})`;
}
