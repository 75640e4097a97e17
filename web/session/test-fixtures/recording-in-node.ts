// Records runs on the page's session and its own virtual server, in Node.
import { queuePicture, SAMPLES_OF_PICTURE, type QueuePicture } from '../../analysis/client-queue';
import type { StoredCourse } from '../../contract/client-queue';
import type { Machine, RunSpec } from '../../contract/run-spec';
import { endVirtualEngines } from '../../engine-client/test-fixtures/virtual-engine-in-node';
import { storedCourse } from '../course';
import { sessionInNode } from './session-in-node';

/** One picture is stored per this many readings. */
const READINGS_PER_PICTURE = 4;
/** Of a recording, only readings count. Frames would take time from the engine. */
const FRAME_MS = 100;

/** A recording uses virtual cores alone. */
export const anyMachine: Machine = { cores: 1, platforms: ['virtual'] };

/** Runs the spec to its end. Ends all virtual servers of this process. */
export async function recordRun(spec: RunSpec): Promise<StoredCourse> {
  globalThis.requestAnimationFrame = (callback) => {
    // eslint-disable-next-line no-restricted-syntax -- the frames of a page come by time
    setTimeout(() => {
      callback(performance.now());
    }, FRAME_MS);
    return 0;
  };
  // A recording is never rewound, so it needs no checkpoints.
  const session = sessionInNode({ checkpointBytes: 0 });
  const { queues } = session.shownRun;
  queues.follow();
  await session.run(spec);
  const { samples } = queues;
  const pictures = samples.flatMap((_, i): QueuePicture[] => {
    const picture =
      i % READINGS_PER_PICTURE === 0
        ? queuePicture(samples.slice(Math.max(0, i + 1 - SAMPLES_OF_PICTURE), i + 1))
        : null;
    return picture === null ? [] : [picture];
  });
  const { marks } = session.store.getState();
  const stored = storedCourse({ history: session.history, marks, pictures });
  endVirtualEngines();
  return stored;
}
