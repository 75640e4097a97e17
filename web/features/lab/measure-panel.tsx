import { useMemo, useState } from 'react';

import type { LabMeasurement, LabSettings } from '../../contract/lab-measurement';
import { formatCompact, formatFigure } from '../../analysis/format';
import { sweepChart, type SweepView } from '../../charts/sweep-chart';
import { literatureOf } from '../../contract/all-lab-latches';
import type { LabContest } from '../../contract/lab-results';
import { named_servers } from '../../contract/servers';
import { Choice } from '../../widgets/choice';
import { DesignKey } from '../../widgets/design-key';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { SvgChartHost } from '../../widgets/svg-chart-host';
import { useLab } from './lab-context';
import type { LabState } from './lab-state';
import { sourceShown } from './lab-work';
import { REFERENCES_MAX, referenceLatches } from './latches';

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
  const measurement = useExplorer((state: LabState) => state.lab.measurement);
  const isChanged = useExplorer(
    ({ lab }: LabState) => lab.measurement !== null && lab.measurement.source !== sourceShown(lab),
  );
  return (
    <Panel title="Scaling" remark={isChanged ? 'before your last change' : undefined} className="lab-measure">
      <Settings />
      {measurement === null ? (
        <p className="muted">
          Threads compete for the latch on the modeled server: enter, work while holding it, exit, work
          outside. Both times are for a 2025 core. Click Measure scaling to compare your latch with classic
          latches.
        </p>
      ) : (
        <Measured measurement={measurement} />
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
  const settings = useExplorer((state: LabState) => state.lab.settings);
  const references = useExplorer((state: LabState) => state.lab.references);
  return (
    <div className="lab-settings">
      <Choice
        title="Server"
        value={settings.server}
        onChange={(server) => {
          lab.set({ server });
        }}
      >
        {named_servers.map(({ id, title }) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </Choice>
      {fields.map(({ field, title }) => (
        <label key={field}>
          {title}
          <input
            value={settings[field]}
            inputMode={field === 'threads' ? 'text' : 'numeric'}
            onChange={({ target }) => {
              lab.set({ [field]: target.value });
            }}
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
              onChange={({ target }) => {
                lab.choose(latch, target.checked);
              }}
            />
            {latch}
          </label>
        ))}
      </fieldset>
    </div>
  );
}

const nameOf = (latch: string | null) => latch ?? 'yours';

function Measured({ measurement }: { measurement: LabMeasurement }) {
  const [name, setName] = useState<FigureName>('acquisitions_per_s');
  const figure: Figure = figures[name];
  const view = useMemo(() => viewOf(measurement, figure), [measurement, figure]);
  const yours = measurement.latches[0]!.contests;
  return (
    <>
      <Choice
        title="Metric"
        value={name}
        onChange={(chosen) => {
          setName(chosen as FigureName);
        }}
      >
        {Object.entries(figures).map(([id, { title }]) => (
          <option key={id} value={id}>
            {title}
          </option>
        ))}
      </Choice>
      <div className="legend sweep-legend">
        {measurement.latches.map(({ latch }, place) => (
          <DesignKey key={nameOf(latch)} design={place} title={nameOf(latch)} hasMark />
        ))}
      </div>
      <SvgChartHost
        className="chart-sweep"
        chart={sweepChart}
        view={view}
        label={`${figure.title} by threads, for ${measurement.latches.map(({ latch }) => nameOf(latch)).join(', ')}`}
      />
      <Unsound contests={yours} />
      <ContestTable contests={yours} />
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
    throughputOf: null,
    peakThreads: null,
    isJoined: true,
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
  return (
    <ul className="experiment-faults" role="alert" aria-label="Failed contests">
      {unsound.map(({ threads, sentence }) => (
        <li key={threads}>
          {threads} threads: {sentence}
        </li>
      ))}
    </ul>
  );
}

const told = (value: number | null, format: (value: number) => string = formatFigure) =>
  value === null ? '–' : format(value);

function ContestTable({ contests }: { contests: readonly LabContest[] }) {
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label="Your latch, table">
      <table className="figures">
        <caption>Your latch</caption>
        <thead>
          <tr>
            <th scope="col">threads</th>
            <th scope="col">acquisitions per s</th>
            <th scope="col">hand-off, ns</th>
            <th scope="col">transfers</th>
            <th scope="col">wait p50, ns</th>
            <th scope="col">p99</th>
            <th scope="col">max</th>
            <th scope="col">overtaken</th>
            <th scope="col">in order, %</th>
            <th scope="col">fairness</th>
          </tr>
        </thead>
        <tbody>
          {contests.map((contest) => (
            <tr key={contest.threads}>
              <th scope="row">{contest.threads}</th>
              <td>{formatCompact(contest.acquisitions_per_s)}</td>
              <td>{told(contest.hand_over_ns)}</td>
              <td>{told(contest.line_transfers_per_acquisition)}</td>
              <td>{told(contest.wait_ns.median, formatCompact)}</td>
              <td>{told(contest.wait_ns.p99, formatCompact)}</td>
              <td>{told(contest.wait_ns.max, formatCompact)}</td>
              <td>{contest.overtaken_max}</td>
              <td>{told(contest.in_order_percent)}</td>
              <td>{told(contest.fairness)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

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
        onChange={(chosen) => {
          setThreads(Number(chosen));
        }}
      >
        {contests.map((one) => (
          <option key={one.threads}>{one.threads}</option>
        ))}
      </Choice>
      <div className="table-scroll" tabIndex={0} role="region" aria-label="Line costs, table">
        <table className="figures lab-lines">
          <thead>
            <tr>
              <th scope="col">line</th>
              <th scope="col">source</th>
              <th scope="col">accesses</th>
              <th scope="col">ns</th>
              <th scope="col">transfers</th>
            </tr>
          </thead>
          <tbody>
            {contest.lines.map(({ line, accesses, ns, transfers }) => (
              <tr key={line}>
                <th scope="row">{line}</th>
                <td>
                  <code>{lines[line - 1]?.trim()}</code>
                </td>
                <td>{told(accesses)}</td>
                <td>{told(ns)}</td>
                <td>{told(transfers)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
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
