import { useEffect, useRef } from 'react';

import { onFontLoads } from '../charts/font-loads';
import { drawSvgChart, type SvgChart } from '../charts/svg-plot';

interface SvgChartHostProps<View> {
  /** Describes the chart; a table contains its numbers. */
  label: string;
  chart: SvgChart<View>;
  view: View;
  className?: string;
}

/** Gives a chart its place and its view. Draws it again when the view, its size or the font changes. */
export function SvgChartHost<View>({ label, chart, view, className = '' }: SvgChartHostProps<View>) {
  const host = useRef<HTMLDivElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const draw = useRef<() => void>(() => undefined);
  useEffect(() => {
    draw.current = () => drawSvgChart(host.current!, svg.current!, chart, view);
    draw.current();
  }, [chart, view]);
  useEffect(() => {
    const resizes = new ResizeObserver(() => draw.current());
    resizes.observe(host.current!);
    const endFontLoads = onFontLoads(() => draw.current());
    return () => {
      resizes.disconnect();
      endFontLoads();
    };
  }, []);
  return (
    <div ref={host} className={`svg-chart-host ${className}`} role="img" aria-label={label}>
      <svg ref={svg} className="svg-chart" aria-hidden="true" />
    </div>
  );
}
