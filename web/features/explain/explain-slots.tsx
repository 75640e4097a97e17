import { lazy, Suspense } from 'react';

import { Loading } from '../../widgets/loading';
import { Part } from '../../widgets/part';
import { useExplorer } from '../../widgets/session-context';
import { partInWords } from './walk-words';
import type { ExplorerState } from '../../session/store';

// Loaded when first shown.
const ChainPanel = lazy(() => import('./chain-panel'));
const WalkView = lazy(() => import('./walk-view'));

/** Reserves the place in which the inspector explains why a transaction was slow. */
export const ChainSlot = () => (
  <Suspense fallback={<Loading />}>
    <ChainPanel />
  </Suspense>
);

/** Shows the walk through the explained transaction outside of its own view. */
export const WalkSlot = () => (
  <Part name="The walk">
    <Suspense fallback={<Loading />}>
      <WalkView />
    </Suspense>
  </Part>
);

/** Announces the shown part to screen readers, once for all views. */
export const WalkStatus = () => (
  <p role="status" className="visually-hidden">
    {useExplorer(({ explaining }: ExplorerState) =>
      explaining.stage === 'done' && explaining.part !== null
        ? partInWords(explaining.walk, explaining.part)
        : '',
    )}
  </p>
);
