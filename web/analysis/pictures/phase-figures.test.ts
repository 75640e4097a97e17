import { expect, test } from 'vitest';

import type { Mark } from '../../contract/telemetry-states';
import { fil_mutex } from '../../contract/test-fixtures';
import { emptySnapshot } from '../../engine-client/snapshot';
import { pauseMark } from '../../engine-client/test-fixtures/pause-mark';
import type { PhaseReading } from '../../recording/phase-readings';
import { runMark } from '../../recording/run-marks';
import { phaseFigures } from './phase-figures';

const { manifest } = fil_mutex;
const { original } = manifest.designs;
const ATOMIC_WORD = 4;

/** Returns the parts of a run with a mark at the beginning of each second except the first. */
function partsOf(marks: Partial<Mark>[]) {
  const at = (runS: number) => ({ ...emptySnapshot(), runNs: runS * 1e9 });
  const readings: PhaseReading[] = [{}, ...marks].map((_, second) => ({
    begunAtNs: second * 1e9,
    before: at(second),
    after: at(second + 1),
  }));
  return phaseFigures({
    readings,
    marks: marks.map((mark, i) => runMark({ ...pauseMark, run_ns: (i + 1) * 1e9, ...mark }, manifest)),
    design: original!,
    names: { functions: [], latches: [], latchSites: [] },
    manifest,
    isModeled: true,
  });
}

test('a knob or an action begins a part; a pause or a refused action does not', () => {
  const parts = partsOf([
    { kind: 'pause' },
    { kind: 'knob', value: ATOMIC_WORD },
    { kind: 'action', value: 1 },
    { kind: 'action' },
  ]);
  const atomic = { ...original, tablespace_lookup: 'atomic_word' };
  expect(parts.map(({ design, actions, seconds }) => ({ design, actions, seconds }))).toEqual([
    { design: original, actions: [], seconds: 2 },
    { design: atomic, actions: [], seconds: 2 },
    { design: atomic, actions: [manifest.actions[0]!.id], seconds: 1 },
  ]);
});

test('a knob that is turned to where it stands begins no part', () => {
  expect(partsOf([{ kind: 'knob', value: 0 }])).toHaveLength(1);
});
