import { lazy, Suspense } from 'react';

import { Loading } from '../../widgets/loading';
import { Part } from '../../widgets/part';
import { useExplorer } from '../../widgets/session-context';
import type { ExplainState } from './explain-state';
import { partInWords } from './walk-words';

// Loaded when a lesson first shows it.
const WalkView = lazy(() => import('./walk-view'));

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
    {useExplorer(({ explaining }: ExplainState) =>
      explaining.stage === 'done' && explaining.part !== null
        ? partInWords(explaining.walk, explaining.part)
        : '',
    )}
  </p>
);
