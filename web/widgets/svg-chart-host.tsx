import { useEffect, useRef } from 'react';

interface SvgChart<View> {
  draw: (view: View) => void;
  destroy: () => void;
}

interface SvgChartHostProps<View> {
  /** What it shows; its numbers stand in a table. */
  label: string;
  create: (host: HTMLElement) => SvgChart<View>;
  view: View;
  className?: string;
}

/** Gives a chart its place, and what it draws. */
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
