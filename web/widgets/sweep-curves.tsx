import { sweepChart, type SweepView } from '../charts/sweep-chart';
import { DesignLegend, type NamedDesign } from './design-key';
import { SvgChartHost } from './svg-chart-host';

interface SweepCurvesProps {
  /** The curves in the legend. */
  designs?: readonly NamedDesign[];
  view: SweepView;
  label: string;
}

/** Shows a figure against thread counts or percents, below a legend. */
export const SweepCurves = ({ designs, view, label }: SweepCurvesProps) => (
  <>
    {designs !== undefined && <DesignLegend designs={designs} />}
    <SvgChartHost className="chart-sweep" chart={sweepChart} view={view} label={label} />
  </>
);
