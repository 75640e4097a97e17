import { lazy, Suspense } from 'react';

import { Loading } from '../../widgets/loading';
import { Part } from '../../widgets/part';

// Loaded when a story, a lesson or the command first shows it.
const BugPicture = lazy(() => import('./bug-picture'));

/** Reserves the place of a picture. `is_large` shows it over the page. */
export const PictureSlot = ({ is_large = false }: { is_large?: boolean }) => (
  <Part name="The picture">
    <Suspense fallback={<Loading />}>
      <BugPicture is_large={is_large} />
    </Suspense>
  </Part>
);
