import { lazy, Suspense } from 'react';

import { Loading } from '../../widgets/loading';

// Loaded when it is first shown.
const ChainPanel = lazy(() => import('./chain-panel'));

/** Where the inspector shows why a transaction was slow. */
export const ChainSlot = () => (
  <Suspense fallback={<Loading />}>
    <ChainPanel />
  </Suspense>
);
