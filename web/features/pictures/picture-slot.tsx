import { lazy, Suspense } from 'react';

import { Loading } from '../../widgets/loading';
import { Part } from '../../widgets/part';

// Loaded when a story, a lesson or the command first shows it.
const BugPicture = lazy(() => import('./bug-picture'));

/** Reserves the place of a picture. `isLarge` shows it over the page. */
export const PictureSlot = ({ isLarge = false }: { isLarge?: boolean }) => (
  <Part name="The picture">
    <Suspense fallback={<Loading />}>
      <BugPicture isLarge={isLarge} />
    </Suspense>
  </Part>
);
