// Combines the explorer with what other features show in it. All of it loads at once: a panel that came
// later would move the others.
import { shapeOfServer } from '../contract/servers';
import { Inspector } from '../features/evidence';
import { BranchesButton } from '../features/forks';
import { ChainSlot, WalkSlot, WalkStatus } from '../features/explain';
import { GuideSide } from '../features/lessons';
import { Explorer } from '../features/explorer/explorer';
import { PictureSlot } from '../features/pictures';
import { RewindBar } from '../features/rewind';
import { LockPicturePanel } from '../features/locks/lock-picture';
import { ThreadTime } from '../features/locks/thread-time';
import { WhatIfNote } from '../features/what-if';
import { WhatIfPanel } from '../features/what-if/what-if-panel';
import { useIsVirtual } from '../widgets/run-time';
import { useExplorer } from '../widgets/session-context';
import { VirtualTimeControls } from '../widgets/virtual-time-controls';

export default function ExplorerView() {
  const isVirtual = useIsVirtual();
  const holdsMoment = useExplorer((state) => state.locks.holdsMoment);
  const server = useExplorer(({ spec, scenario }) => spec?.server ?? scenario.manifest.virtual_server);
  return (
    <Explorer
      guide={<GuideSide picture={<PictureSlot />} walk={<WalkSlot />} />}
      inspector={
        <Inspector
          chain={<ChainSlot />}
          lockPicture={isVirtual && <LockPicturePanel server={shapeOfServer(server)} />}
          isPictureFirst={holdsMoment}
        />
      }
      whatIf={<WhatIfPanel />}
      whatIfNote={
        <>
          <WhatIfNote />
          <WalkStatus />
        </>
      }
      moments={isVirtual && <RewindBar branches={<BranchesButton />} />}
      latchesAndThreads={<ThreadTime timeControls={<VirtualTimeControls />} />}
    />
  );
}
