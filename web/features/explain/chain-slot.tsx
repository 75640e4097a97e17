import { lazy, Suspense } from 'react';

import { Loading } from '../../widgets/loading';

// Loaded when first shown.
const ChainPanel = lazy(() => import('./chain-panel'));

/** Reserves the place in which the inspector explains why a transaction was slow. */
export const ChainSlot = () => (
  <Suspense fallback={<Loading />}>
    <ChainPanel />
  </Suspense>
);
