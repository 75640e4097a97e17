import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { LabFault } from '../../contract/lab-results';
import { Engine } from '../../engine-client/engine';
import { loadVirtualEngineInNode } from '../../engine-client/test-fixtures/virtual-engine-in-node';
import { compile } from '../latch-language/compile';

export const sourceOf = (latch: string): string =>
  readFileSync(join(import.meta.dirname, '../../../lab/latches', `${latch}.latch`), 'utf8');

/** What the page's own engine finds wrong with a latch of lab/latches/. */
export async function faultOfLatch(latch: string): Promise<LabFault> {
  const engine = await Engine.load(loadVirtualEngineInNode);
  try {
    const { program } = compile(sourceOf(latch));
    const { fault } = await engine.checkLatch(program!, {}, () => undefined);
    return fault!;
  } finally {
    engine.dispose();
  }
}
