import type { Fault } from '../contract/fault';
import type { LabCheckOptions } from '../contract/lab-exercise';
import type { LabCheckProgress, LabCheckResult } from '../contract/lab-results';
import { CommandRefused } from './command-refused';
import type { Engine } from './engine';

/**
 * Searches for a schedule under which a latch of the lab fails. `program` is the output of the lab
 * language's compiler. To abort the search, dispose of the engine.
 */
export async function checkLatch(
  engine: Engine,
  program: object,
  check: LabCheckOptions,
  onProgress: (progress: LabCheckProgress) => void,
): Promise<LabCheckResult> {
  const faults = JSON.parse(
    await engine.ask('begin_lab_check', JSON.stringify({ program, check })),
  ) as Fault[];
  if (faults.length > 0) throw new CommandRefused(faults);
  for (let isDone = false; !isDone;) {
    const progress = JSON.parse(await engine.ask('go_on_lab_check')) as LabCheckProgress;
    onProgress(progress);
    ({ is_done: isDone } = progress);
  }
  return JSON.parse(await engine.ask('lab_check')) as LabCheckResult;
}
