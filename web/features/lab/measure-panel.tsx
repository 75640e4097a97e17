import { useMemo, useState } from 'react';

import type { LabContest, LabMeasurement, LabSettings } from '../../contract/lab-results';
import { formatCompact, formatFigure } from '../../analysis/format';
import type { SweepView } from '../../charts/sweep-chart';
import { literatureOf } from '../../contract/all-lab-latches';
import { named_servers } from '../../contract/servers';
import { FaultList } from '../../widgets/batch-progress';
import { Choice, Options } from '../../widgets/choice';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { SweepCurves } from '../../widgets/sweep-curves';
import { Table, type Column } from '../../widgets/table';
import { useLab } from './lab';
import { sourceShown } from './lab-work';
import { REFERENCES_MAX, referenceLatches } from './latches';
import type { ExplorerState } from '../../session/store';

interface Figure {
  title: string;
  of: (contest: LabContest) => number | null;
  format: (value: number) => string;
}

const figures = {
  acquisitions_per_s: {
    title: 'acquisitions per s',
    of: (contest) => contest.acquisitions_per_s,
    format: formatCompact,
  },
  hand_over_ns: { title: 'hand-off, ns', of: (contest) => contest.hand_over_ns, format: formatFigure },
  transfers: {
    title: 'cache-line transfers per acquisition',
    of: (contest) => contest.line_transfers_per_acquisition,
    format: formatFigure,
  },
  wait_p99: { title: 'wait, p99, ns', of: ({ wait_ns }) => wait_ns.p99, format: formatCompact },
  wait_max: { title: 'wait, max, ns', of: ({ wait_ns }) => wait_ns.max, format: formatCompact },
  fairness: { title: "fairness (Jain's index)", of: (contest) => contest.fairness, format: formatFigure },
} satisfies Record<string, Figure>;
type FigureName = keyof typeof figures;

/** Shows how the latch and others perform when threads compete for them on a modeled server. */
export function MeasurePanel() {
  const measurement = useExplorer((state) => state.lab.measurement);
  const isEarlier = useExplorer(
    ({ lab }: ExplorerState) => lab.measurement !== null && lab.measurement.source !== sourceShown(lab),
  );
  return (
    <Panel title="Scaling" className="lab-measure">
      <Settings />
      {measurement === null ? (
        <p className="muted">
          Threads compete for the latch on the modeled server: enter, work while holding it, exit, work
          outside. Both times are for a 2025 core. Click Measure scaling to compare your latch with classic
          latches.
        </p>
      ) : (
        <Measured measurement={measurement} isEarlier={isEarlier} />
      )}
    </Panel>
  );
}

const fields: readonly { field: Exclude<keyof LabSettings, 'server'>; title: string }[] = [
  { field: 'threads', title: 'Threads' },
  { field: 'hold_ns', title: 'Hold time, ns' },
  { field: 'think_ns', title: 'Think time, ns' },
  { field: 'shared_percent', title: 'Shared, % (rw)' },
];

function Settings() {
  const lab = useLab();
  const settings = useExplorer((state) => state.lab.settings);
  const references = useExplorer((state) => state.lab.references);
  return (
    <div className="lab-settings">
      <Choice title="Server" value={settings.server} onChange={(server) => lab.set({ server })}>
        <Options of={named_servers} />
      </Choice>
      {fields.map(({ field, title }) => (
        <label key={field}>
          {title}
          <input
            value={settings[field]}
            inputMode={field === 'threads' ? 'text' : 'numeric'}
            onChange={({ target }) => lab.set({ [field]: target.value })}
          />
        </label>
      ))}
      <fieldset className="swept-designs">
        <legend>Compare with (at most {REFERENCES_MAX})</legend>
        {referenceLatches.map((latch) => (
          <label key={latch}>
            <input
              type="checkbox"
              checked={references.includes(latch)}
              disabled={!references.includes(latch) && references.length >= REFERENCES_MAX}
              onChange={({ target }) => lab.choose(latch, target.checked)}
            />
            {latch}
          </label>
        ))}
      </fieldset>
    </div>
  );
}

/** `isEarlier`: the source has changed since the measurement. */
function Measured({ measurement, isEarlier }: { measurement: LabMeasurement; isEarlier: boolean }) {
  const [name, setName] = useState<FigureName>('acquisitions_per_s');
  const figure: Figure = figures[name];
  const view = useMemo(() => viewOf(measurement, figure), [measurement, figure]);
  const yours = measurement.latches[0]!.contests;
  const nameOf = (latch: string | null) => latch ?? (isEarlier ? 'yours, before the change' : 'yours');
  return (
    <>
      {isEarlier && <p className="lab-earlier">The source has changed since this measurement.</p>}
      <Choice title="Metric" value={name} onChange={(chosen) => setName(chosen as FigureName)}>
        <Options of={Object.entries(figures).map(([id, { title }]) => ({ id, title }))} />
      </Choice>
      <SweepCurves
        designs={measurement.latches.map(({ latch }, design) => ({ design, title: nameOf(latch) }))}
        view={view}
        label={`${figure.title} by threads, for ${measurement.latches.map(({ latch }) => nameOf(latch)).join(', ')}`}
      />
      {!isEarlier && <Unsound contests={yours} />}
      <Table
        region="Your latch, table"
        caption={isEarlier ? 'Your latch, before the change' : 'Your latch'}
        columns={contestColumns}
        rows={yours}
      />
      <LineCosts measurement={measurement} />
      <Literature latches={measurement.latches} />
    </>
  );
}

const viewOf = ({ latches, threads }: LabMeasurement, figure: Figure): SweepView => ({
  series: latches.map(({ contests }, place) => ({
    design: place,
    points: contests.flatMap((contest) => {
      const value = figure.of(contest);
      return value === null ? [] : [{ at: contest.threads, mean: value, low: value, high: value }];
    }),
  })),
  places: threads,
  threadsAxis: 'logarithmic',
  title: figure.title,
  xTitle: 'threads',
  format: figure.format,
});

/** Lists contests in which the latch failed or hung, or that could not continue. */
function Unsound({ contests }: { contests: readonly LabContest[] }) {
  const unsound = contests.filter(({ verdict }) => verdict !== 'sound');
  if (unsound.length === 0) return null;
  const faults = unsound.map(({ threads, sentence }) => `${threads} threads: ${sentence}`);
  return <FaultList faults={faults} label="Failed contests" />;
}

const contestColumns: readonly Column<LabContest>[] = [
  ['threads', ({ threads }) => threads],
  ['acquisitions per s', (contest) => formatCompact(contest.acquisitions_per_s)],
  ['hand-off, ns', (contest) => formatFigure(contest.hand_over_ns)],
  ['transfers', (contest) => formatFigure(contest.line_transfers_per_acquisition)],
  ['wait p50, ns', ({ wait_ns }) => formatCompact(wait_ns.median)],
  ['p99', ({ wait_ns }) => formatCompact(wait_ns.p99)],
  ['max', ({ wait_ns }) => formatCompact(wait_ns.max)],
  ['overtaken', ({ overtaken_max }) => overtaken_max],
  ['in order, %', ({ in_order_percent }) => formatFigure(in_order_percent)],
  ['fairness', ({ fairness }) => formatFigure(fairness)],
];

/** Shows the cost of each source line per acquisition of the reader's latch. */
function LineCosts({ measurement }: { measurement: LabMeasurement }) {
  const { contests } = measurement.latches[0]!;
  const [threads, setThreads] = useState<number | null>(null);
  const contest = contests.find((one) => one.threads === threads) ?? contests.at(-1);
  if (contest === undefined) return null;
  const lines = measurement.source.split('\n');
  return (
    <>
      <Choice
        title="Line costs with threads"
        value={String(contest.threads)}
        onChange={(chosen) => setThreads(Number(chosen))}
      >
        <Options of={contests.map((one) => ({ id: String(one.threads), title: one.threads }))} />
      </Choice>
      <Table
        region="Line costs, table"
        className="lab-lines"
        rows={contest.lines}
        columns={[
          ['line', ({ line }) => line],
          ['source', ({ line }) => <code>{lines[line - 1]?.trim()}</code>],
          ['accesses', ({ accesses }) => formatFigure(accesses)],
          ['ns', ({ ns }) => formatFigure(ns)],
          ['transfers', ({ transfers }) => formatFigure(transfers)],
        ]}
      />
    </>
  );
}

/** Shows published results for the references, and whether a contest confirms them. */
function Literature({ latches }: Pick<LabMeasurement, 'latches'>) {
  const known = latches.flatMap(({ latch }) =>
    latch === null ? [] : [{ latch, claims: literatureOf(latch) }],
  );
  if (known.every(({ claims }) => claims.length === 0)) return null;
  return (
    <details className="lab-literature">
      <summary>Published results</summary>
      {known.map(({ latch, claims }) => (
        <ul key={latch} aria-label={latch}>
          {claims.map(({ claim, says, cited, where, holds }) => (
            <li key={claim}>
              <strong>{latch}</strong>: {says} ({cited}; {where}){' '}
              <em>{holds ? 'Holds here.' : 'Does not hold here.'}</em>
            </li>
          ))}
        </ul>
      ))}
      <p className="muted">
        <code>npm run latchscope -- lab literature</code> runs these contests;
        docs/explanation/latch-literature.md has the details.
      </p>
    </details>
  );
}
