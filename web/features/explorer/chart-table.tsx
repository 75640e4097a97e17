import { lazy, Suspense, useState } from 'react';

import { useExplorer } from '../../widgets/session-context';

// Loaded when first opened.
const ChartValues = lazy(() => import('./chart-values'));

/** Shows the values of the charts as text. Computes nothing while it is closed. */
export function ChartTable() {
  const [is_open, setOpen] = useState(false);
  const has_run = useExplorer(({ spec }) => spec !== null);
  return (
    <details
      className="chart-table"
      data-is-shown={has_run}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>Show values as table</summary>
      <Suspense>{is_open && <ChartValues />}</Suspense>
    </details>
  );
}
