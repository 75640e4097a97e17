import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { LabFault } from '../../contract/lab-results';
import { Engine } from '../../engine-client/engine';
import { loadVirtualEngineInNode } from '../../engine-client/test-fixtures/virtual-engine-in-node';
import { compile } from '../latch-language/compile';
import { shownFault } from '../latch-walk';

export const sourceOf = (latch: string): string =>
  readFileSync(join(import.meta.dirname, '../../../lab/latches', `${latch}.latch`), 'utf8');

/** With as many rounds as a latch has in a check; without this, the fewest that show a fault. */
export const ALL_ROUNDS = { rounds: 3 };

/** What the page's own engine finds wrong with a latch of lab/latches/, or how a thread can starve. */
export async function faultOfLatch(latch: string, options: object = {}): Promise<LabFault> {
  const engine = await Engine.load(loadVirtualEngineInNode);
  try {
    const { program } = compile(sourceOf(latch));
    return shownFault(await engine.checkLatch(program!, options, () => undefined))!;
  } finally {
    engine.dispose();
  }
}
