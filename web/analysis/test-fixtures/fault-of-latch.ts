import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { LabFault } from '../../contract/lab-results';
import { Engine } from '../../engine-client/engine';
import { loadVirtualEngineInNode } from '../../engine-client/test-fixtures/virtual-engine-in-node';
import { compile } from '../latch-language/compile';
import { shownFault } from '../latch-walk';

export const sourceOf = (latch: string): string =>
  readFileSync(join(import.meta.dirname, '../../../lab/latches', `${latch}.latch`), 'utf8');

/** Keeps three rounds. By default the checker returns a schedule with as few rounds as show the fault. */
export const ALL_ROUNDS = { rounds: 3 };

/** The fault that the page's engine finds in a latch of lab/latches/, else how a thread can starve. */
export async function faultOfLatch(latch: string, options: object = {}): Promise<LabFault> {
  const engine = await Engine.load(loadVirtualEngineInNode);
  try {
    const { program } = compile(sourceOf(latch));
    return shownFault(await engine.checkLatch(program!, options, () => undefined))!;
  } finally {
    engine.dispose();
  }
}
