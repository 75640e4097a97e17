// Small synthetic runs, whose numbers the tests of pictures assert.
import type { Design } from '../../contract/design';
import type { LatchEvent } from '../../contract/telemetry-states';
import type { CounterName } from '../../engine-client/snapshot';
import { LatchTrack } from '../../recording/latch-trace';
import type { LatchRow } from '../../contract/live-view';
import type { PhaseFigures } from './phase-figures';

/** Returns a track of one latch. A site leads to the latch's name. */
export function trackOf(events: readonly Partial<LatchEvent>[], site = 0): LatchTrack {
  const track = new LatchTrack(1);
  for (const event of events) {
    const takes = event.kind === 'gets' || event.kind === 'wants';
    track.add({
      at_ns: 0,
      kind: 'gets',
      latch: 1,
      slot: 0,
      access: null,
      site: takes ? site : -1,
      ...event,
    });
  }
  return track;
}

interface DrawnPhase {
  design?: Design;
  actions?: readonly string[];
  seconds?: number;
  counts?: Partial<Record<CounterName, number>>;
  totals?: Partial<Record<CounterName, number>>;
  latches?: readonly LatchRow[];
}

export function phaseOf({
  design = {},
  actions = [],
  seconds = 1,
  counts = {},
  totals = counts,
  latches = [],
}: DrawnPhase): PhaseFigures {
  const of = (values: Partial<Record<string, number>>) => (counter: string) => values[counter] ?? 0;
  return {
    design,
    actions,
    fromNs: 0,
    untilNs: seconds * 1e9,
    seconds,
    count: of(counts),
    total: of(totals),
    latches,
  };
}

const noFigures = {
  acquisitions: 0,
  acquisitions_per_s: null,
  per_operation: null,
  contended_share: null,
  waiting_share: null,
  spinning_share: null,
  line_stall_share: null,
  queue_mean: null,
  cost_share: null,
  mean_wait_ns: null,
  mean_hold_ns: null,
  contended: 0,
  waits: 0,
  wait_ns: 0,
};

type Site = Partial<Omit<LatchRow, 'latch' | 'sites'>> & { function: string };

export function rowOf(latch: string, sites: readonly Site[], figures: Partial<LatchRow> = {}): LatchRow {
  const acquisitions = sites.reduce((sum, site) => sum + (site.acquisitions ?? 0), 0);
  const perOperation = sites.reduce((sum, site) => sum + (site.per_operation ?? 0), 0);
  return {
    ...noFigures,
    latch,
    acquisitions,
    per_operation: perOperation,
    ...figures,
    sites: sites.map((site) => ({ ...noFigures, ...site })),
  };
}
