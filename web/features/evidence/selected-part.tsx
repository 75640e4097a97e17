// Shows the reader's selection, and loads its view on demand.
import { lazy, Suspense } from 'react';

import { useExplorer } from '../../widgets/session-context';

// Loaded at the first selection.
const SelectedCard = lazy(() => import('./selected-card'));

export function SelectedPart() {
  const selected = useExplorer((state) => state.selected);
  return <Suspense>{selected !== null && <SelectedCard selected={selected} />}</Suspense>;
}
