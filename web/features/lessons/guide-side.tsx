import { lazy, Suspense, type ReactNode } from 'react';

import { Loading } from '../../widgets/loading';
import { Part } from '../../widgets/part';
import { useExplorer } from '../../widgets/session-context';

// Loaded when first opened.
const LessonPanel = lazy(() => import('./lesson-panel'));
const StoryPanel = lazy(() => import('./story-panel'));

/**
 * Shows the lesson or the story on the left side of the explorer. Both contain the picture of the
 * bug.
 */
export function GuideSide({ picture, walk }: { picture: ReactNode; walk: ReactNode }) {
  const isLessonOpen = useExplorer((state) => state.lesson !== null);
  const isStoryOpen = useExplorer((state) => state.isStoryOpen);
  return (
    <Suspense fallback={<Loading />}>
      {isLessonOpen && (
        <Part name="The lesson">
          <LessonPanel picture={picture} walk={walk} />
        </Part>
      )}
      {isStoryOpen && !isLessonOpen && (
        <Part name="The story">
          <StoryPanel picture={picture} />
        </Part>
      )}
    </Suspense>
  );
}
