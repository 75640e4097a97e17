import { useEffect, useRef } from 'react';

interface SvgChart<View> {
  draw: (view: View) => void;
  destroy: () => void;
}

interface SvgChartHostProps<View> {
  /** Describes the chart; a table contains its numbers. */
  label: string;
  create: (host: HTMLElement) => SvgChart<View>;
  view: View;
  className?: string;
}

/** Gives a chart its place and its view. */
export function SvgChartHost<View>({ label, create, view, className = '' }: SvgChartHostProps<View>) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<SvgChart<View> | null>(null);
  useEffect(() => {
    const created = create(host.current!);
    chart.current = created;
    return () => {
      chart.current = null;
      created.destroy();
    };
  }, [create]);
  useEffect(() => {
    chart.current?.draw(view);
  }, [create, view]);
  return <div ref={host} className={`svg-chart-host ${className}`} role="img" aria-label={label} />;
}
