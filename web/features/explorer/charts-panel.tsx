import { bisectLeft } from 'd3-array';
import { lazy, Suspense, useEffect, useId, useMemo, useState, type ReactNode } from 'react';

import { formatDurationNs } from '../../analysis/format';
import { medianToP99, latencyDecades, latencySeries, stateBands } from '../../charts/chart-series';
import { LineChart } from '../../charts/line-chart';
import { ShareChart } from '../../charts/share-chart';
import { ChartHost } from './chart-host';
import { chartReadings, momentInWords, type ChartReadings } from './chart-readings';
import { ChartsFoot, ChartsToolbar } from './charts-toolbar';
import { CommandButton } from '../../widgets/command-button';
import { EvidenceNote } from '../../widgets/evidence-note';
import { BandLegend, LatencyLegend } from '../../widgets/legend';
import { NowTiles } from './now-tiles';
import { Overview } from './overview';
import { Part } from '../../widgets/part';
import { Panel } from '../../widgets/panel';
import { ChartKeys, ThroughputPanel } from './throughput-panel';
import { chartPicture } from '../../session/chart-picture';
import type { Session } from '../../session/session';
import { clockStepShown, missingHere } from '../../session/store';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer, useSession } from '../../widgets/session-context';
import { useIsPhone } from '../../widgets/use-is-phone';
import { STATES_NOT_KNOWN } from '../../widgets/state-names';

/** A held key moves the crosshair faster than anyone can listen. */
const SAY_INTERVAL_MS = 400;

// Loaded when first opened.
const ChartValues = lazy(() => import('./chart-values'));

const latencyChartCreator = (clockStepNs: number, readings: ChartReadings) => (host: HTMLElement) =>
  new LineChart(host, {
    series: latencySeries,
    band: medianToP99,
    y: { kind: 'log', empty: latencyDecades, floor: clockStepNs },
    format: formatDurationNs,
    hasMarkLabels: false,
    readings: readings.latencies,
  });

const shareChartCreator = (readings: ChartReadings, isVirtual: boolean) => (host: HTMLElement) =>
  new ShareChart(host, stateBands(isVirtual), readings.shares);

interface ChartsPanelProps {
  /** On a phone: below the first chart, with the figures of the run. */
  phases?: ReactNode;
  /** On a phone: below the figures. The first chart stays in sight while the reader scrolls to them. */
  controls?: ReactNode;
}

/**
 * Shows three charts on one axis of run time without pauses. All charts show the moment under the
 * pointer.
 */
export function ChartsPanel({ phases, controls }: ChartsPanelProps) {
  const clockStepNs = useExplorer(clockStepShown);
  const isVirtual = useIsVirtual();
  const lacksShares = useLacksShares();
  const time = isVirtual ? 'virtual time' : 'run time';
  const keys = useId();
  const unitOfWork = useExplorer(({ scenario }) => scenario.manifest.unit_of_work);
  const readings = useMemo(
    () => chartReadings({ unit_of_work: unitOfWork }, clockStepNs, isVirtual),
    [unitOfWork, clockStepNs, isVirtual],
  );
  const createLatencyChart = useMemo(
    () => latencyChartCreator(clockStepNs ?? 1, readings),
    [clockStepNs, readings],
  );
  const createStateChart = useMemo(() => shareChartCreator(readings, isVirtual), [readings, isVirtual]);
  const tiles = (
    <div className="row charts-head">
      <Part name="The tiles">
        <NowTiles />
      </Part>
    </div>
  );
  const throughput = <ThroughputPanel readings={readings} describedBy={keys} />;
  const isPhone = useIsPhone();
  return (
    <div className="charts">
      {isPhone ? (
        <div className="charts-first">
          {throughput}
          <Invitation />
          {phases}
          {tiles}
          {controls}
        </div>
      ) : (
        <>
          {tiles}
          {throughput}
        </>
      )}
      <Panel
        title="Latency"
        remark={isVirtual ? 'log scale' : `log scale, clock step ${formatDurationNs(clockStepNs)}`}
        note={<LatencyLegend />}
        className="chart-panel chart-panel-latency"
      >
        <ChartHost
          title="Latency"
          describedBy={keys}
          label={`Percentiles and maximum of transaction latency over ${time}, logarithmic`}
          create={createLatencyChart}
          select={selectPoint}
        />
      </Panel>
      <Panel
        title="Client time"
        remark={isVirtual ? undefined : STATES_NOT_KNOWN}
        note={<BandLegend bands={stateBands(isVirtual)} names={readings.shares.map(({ name }) => name)} />}
        className="chart-panel chart-panel-ribbon"
      >
        {lacksShares ? (
          <EvidenceNote>
            A result file has client time for the whole run only. See Why and Profile.
          </EvidenceNote>
        ) : (
          <ChartHost
            title="Client time"
            describedBy={keys}
            label={`Where client time goes, over ${time}, in percent`}
            create={createStateChart}
          />
        )}
      </Panel>
      <Overview />
      <div className="row charts-below">
        <ChartTable />
        <ChartsToolbar />
        <ChartsFoot />
      </div>
      <ChartKeys id={keys} />
      <SpokenMoment />
      {!isPhone && <Invitation />}
    </div>
  );
}

/** A result file has the transactions of each interval, but not the clients' states. */
function useLacksShares(): boolean {
  const { history } = useSession();
  const isFile = useExplorer((state) => state.opened !== null);
  return isFile && history.column('running').every(Number.isNaN);
}

/** Selects the point of the latency chart at this moment, if there is one. */
function selectPoint(session: Session, tS: number): void {
  const { history } = chartPicture(session);
  const row = bisectLeft(history.column('t_s'), tS);
  const value = (name: Parameters<typeof history.column>[0]) => history.column(name)[row] ?? Number.NaN;
  const p99Ns = value('p99_ns');
  if (value('t_s') !== tS || Number.isNaN(p99Ns)) return;
  const [fromS, p50Ns, maxNs] = [value('from_s'), value('p50_ns'), value('max_ns')];
  session.select({ kind: 'point', fromS, tS, p50Ns, p99Ns, maxNs });
}

/** Shows the values of the charts as text. Computes nothing while it is closed. */
function ChartTable() {
  const [isOpen, setOpen] = useState(false);
  const hasRun = useExplorer(({ spec }) => spec !== null);
  return (
    <details
      className="chart-table"
      data-is-shown={hasRun}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>Show values as table</summary>
      <Suspense>{isOpen && <ChartValues />}</Suspense>
    </details>
  );
}

/** Explains before the first run what to press, and what will happen. */
function Invitation() {
  const isShown = useExplorer((state) => state.spec === null && missingHere(state).length === 0);
  const threads = useExplorer((state) => state.draft.threads);
  const { knobs, unit_of_work: work } = useExplorer((state) => state.scenario.manifest);
  const isVirtual = useIsVirtual();
  if (!isShown) return null;
  return (
    <div className="invitation">
      <div className="invitation-card">
        <CommandButton command="run.start" className="button-main button-large">
          {isVirtual ? 'Run on the virtual server' : 'Run on this machine'}
        </CommandButton>
        <p>
          {threads} client threads. Transaction: {work.transaction}.
          {knobs.length > 0 && ' Switch the lock design during the run to see the effect.'}
        </p>
      </div>
    </div>
  );
}

/** Announces the values of all charts at the moment chosen by keyboard to screen readers. */
function SpokenMoment() {
  const session = useSession();
  const [text, setText] = useState('');
  useEffect(() => sayMoments(session, setText), [session]);
  return (
    <p className="visually-hidden" role="status" aria-label="Values at the selected time">
      {text}
    </p>
  );
}

/** Returns a function that stops it. */
function sayMoments(session: Session, say: (text: string) => void): () => void {
  let frame = 0;
  let saidAtMs = Number.NEGATIVE_INFINITY;
  const sayWhenDue = (nowMs: number) => {
    if (nowMs - saidAtMs < SAY_INTERVAL_MS) {
      frame = requestAnimationFrame(sayWhenDue);
      return;
    }
    frame = 0;
    saidAtMs = nowMs;
    const { tS } = session.pointing.getState();
    const words = tS === null ? null : momentInWords(chartPicture(session), tS, session.store.getState());
    say(words ?? '');
  };
  const unsubscribe = session.pointing.subscribe((pointing, before) => {
    if (pointing.by !== 'keyboard' || pointing.tS === before.tS || frame !== 0) return;
    frame = requestAnimationFrame(sayWhenDue);
  });
  return () => {
    unsubscribe();
    cancelAnimationFrame(frame);
  };
}
