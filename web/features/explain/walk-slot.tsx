import { lazy, Suspense } from 'react';

import { Loading } from '../../widgets/loading';
import { Part } from '../../widgets/part';

// Loaded when a lesson first shows it.
const WalkView = lazy(() => import('./walk-view'));

/** The walk through the explained transaction, outside of its own view. */
export const WalkSlot = () => (
  <Part name="The walk through the transaction">
    <Suspense fallback={<Loading />}>
      <WalkView />
    </Suspense>
  </Part>
);
