import { Suspense } from 'react';

import { Dialogs } from './dialogs';
import { EvidenceForm } from '../features/evidence';
import { ChainSlot, WalkSlot } from '../features/explain';
import { ThreadTime } from '../features/locks/thread-time';
import { PictureSlot } from '../features/pictures';
import { SlidesView, type PanelsOfSlides } from '../features/presenter';
import { QueueFigure } from '../features/stage';
import { Toasts } from './notices';
import { Part } from '../widgets/part';

/** Shows the slides of a bug, and nothing of the page around them. */
export default function Presentation() {
  return (
    <div className="app app-slides">
      <Part name="The slides">
        <Suspense>
          <SlidesView panels={panelsOfSlides} />
        </Suspense>
      </Part>
      <Part name="The messages">
        <Toasts />
      </Part>
      <Dialogs />
    </div>
  );
}

const panelsOfSlides: PanelsOfSlides = {
  queue: (picture, clients) => <QueueFigure {...{ picture, clients }} />,
  picture: <PictureSlot isLarge />,
  walk: <WalkSlot />,
  lanes: <ThreadTime />,
  chain: <ChainSlot />,
  evidence: (place) => <EvidenceForm place={place} />,
};
