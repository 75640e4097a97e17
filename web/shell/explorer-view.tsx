// Combines the explorer with what other features show in it.
import { Suspense } from 'react';

import { shapeOfServer } from '../contract/servers';
import { Inspector } from '../features/evidence';
import { BranchesButton } from '../features/forks';
import { ChainSlot, WalkSlot, WalkStatus } from '../features/explain';
import { GuideSide } from '../features/lessons';
import { Explorer } from '../features/explorer/explorer';
import { PictureSlot } from '../features/pictures';
import { RewindBar } from '../features/rewind';
import { LockPicturePanel, ThreadTime } from '../features/locks';
import { WhatIfNote, WhatIfPanel } from '../features/what-if';
import { useIsVirtual } from '../widgets/run-time';
import { useExplorer } from '../widgets/session-context';
import { VirtualTimeControls } from '../widgets/virtual-time-controls';

export default function ExplorerView() {
  const isVirtual = useIsVirtual();
  const holdsMoment = useExplorer((state) => state.locks.holdsMoment);
  const server = useExplorer(({ spec, scenario }) => spec?.server ?? scenario.manifest.virtual_server);
  const latchesAndThreads = (
    <Suspense>
      <ThreadTime timeControls={<VirtualTimeControls />} />
    </Suspense>
  );
  const lockPicture = isVirtual && (
    <Suspense>
      <LockPicturePanel server={shapeOfServer(server)} />
    </Suspense>
  );
  return (
    <Explorer
      guide={<GuideSide picture={<PictureSlot />} walk={<WalkSlot />} />}
      inspector={<Inspector chain={<ChainSlot />} lockPicture={lockPicture} isPictureFirst={holdsMoment} />}
      whatIf={
        <Suspense>
          <WhatIfPanel />
        </Suspense>
      }
      whatIfNote={
        <>
          <WhatIfNote />
          <WalkStatus />
        </>
      }
      moments={isVirtual && <RewindBar branches={<BranchesButton />} />}
      latchesAndThreads={latchesAndThreads}
    />
  );
}
