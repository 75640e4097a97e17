import { lazy, Suspense, useState } from 'react';

import { useExplorer } from '../../widgets/session-context';

// Loaded when it is first opened.
const ChartValues = lazy(() => import('./chart-values'));

/** The values of the charts as text. Nothing is worked out while it is closed. */
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
