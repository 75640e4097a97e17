import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { LabFault } from '../../contract/lab-results';
import { Engine } from '../../engine-client/engine';
import { checkLatch } from '../../engine-client/latch-check';
import { loadVirtualEngineInNode } from '../../engine-client/test-fixtures/virtual-engine-in-node';
import { compile } from '../latch-language/compile';
import { shownFault } from '../latch-walk';

export const sourceOf = (latch: string): string =>
  readFileSync(join(import.meta.dirname, '../../../lab/latches', `${latch}.latch`), 'utf8');

/**
 * Checks three rounds. By default the checker returns the schedule with the fewest rounds that show
 * the fault.
 */
export const allRounds = { rounds: 3 };

/**
 * Returns the fault that the page's engine finds in a latch of lab/latches/, otherwise the
 * starvation that it finds.
 */
export async function faultOfLatch(latch: string, options: object = {}): Promise<LabFault> {
  const engine = await Engine.load(loadVirtualEngineInNode);
  try {
    const { program } = compile(sourceOf(latch));
    return shownFault(await checkLatch(engine, program!, options, () => undefined))!;
  } finally {
    engine.dispose();
  }
}
