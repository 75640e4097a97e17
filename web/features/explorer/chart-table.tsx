import { lazy, Suspense, useState } from 'react';

import { useExplorer } from '../../widgets/session-context';

// Loaded when first opened.
const ChartValues = lazy(() => import('./chart-values'));

/** Shows the values of the charts as text. Computes nothing while it is closed. */
export function ChartTable() {
  const [isOpen, setOpen] = useState(false);
  const hasRun = useExplorer(({ spec }) => spec !== null);
  return (
    <details
      className="chart-table"
      data-is-shown={hasRun}
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>Show values as table</summary>
      <Suspense>{isOpen && <ChartValues />}</Suspense>
    </details>
  );
}
