import { useMemo, useState } from 'react';

import type { SweepOutcome } from '../../contract/experiment-outcome';
import { DASH, counted, formatCompact, formatCount, formatFigure, formatRange } from '../../analysis/format';
import { describeMachine, type Published, type RealServers } from '../../analysis/real-servers/count-tables';
import { measurableNamed } from '../../contract/real-servers/experiments.mjs';
import { serverTitle, type MeasuredServer } from '../../contract/real-servers/measured-server.mjs';
import {
  asMultiples,
  commonClients,
  enginePoints,
  serverPoints,
  sweepFigures,
  type SweepFigure,
  type SweptPoint,
  type SweptRun,
} from '../../analysis/real-servers/sweep-points';
import { REAL_SERVER, type SweepView as ChartView } from '../../charts/sweep-chart';
import type { Manifest, ReportedFigure } from '../../contract/manifest';
import { whatIfInWords } from '../../session/what-if-words';
import { EvidenceNote } from '../../widgets/evidence-note';
import { Options } from '../../widgets/choice';
import { Panel } from '../../widgets/panel';
import { ServerSelect, useServerChoice } from '../../widgets/server-choice';
import { useExplorer } from '../../widgets/session-context';
import { SweepCurves } from '../../widgets/sweep-curves';
import { Table, type Column } from '../../widgets/table';
import { useRealServers } from '../../widgets/use-loaded';
import { measuredOf } from './experiment-outcome';

/**
 * Draws a real server's throughput with more and more clients over the curves of this sweep's
 * designs.
 */
export default function SweepBeside() {
  const isBug = useExplorer((state) => state.scenario.manifest.bug !== undefined);
  return isBug && <BesideOfBug />;
}

function BesideOfBug() {
  const scenario = useExplorer((state) => state.scenario.manifest.id);
  const known = useRealServers();
  if (known instanceof Error) return <p role="alert">{known.message}</p>;
  if (known === null) return null;
  return (
    <Panel title="Compared with real servers" className="real-servers">
      <Beside key={scenario} known={known} />
    </Panel>
  );
}

/** The curve of a design of the sweep, or of the real server. */
interface Curve {
  /** Index of the design, or REAL_SERVER. */
  look: number;
  title: string;
  points: readonly SweptPoint[];
}

function Beside({ known }: { known: RealServers }) {
  const swept = useExplorer((state) => state.sweep);
  const whatIf = whatIfInWords(swept?.plan.runs[0]?.spec.what_if);
  const outcome = whatIf === null ? swept : null;
  const reported = useExplorer((state) => state.scenario.manifest.reported) ?? [];
  const choice = useServerChoice(known);
  const [wished, wish] = useState<string | null>(null);
  const server = choice.shown;
  if (server === null) return <ServerSelect {...choice} />;
  const figures = sweepFigures(server, sweptRuns(outcome, null));
  const figure = figures.find(({ title }) => title === wished) ?? figures[0];
  return (
    <>
      {whatIf !== null && (
        <EvidenceNote>
          Not compared: the runs of this sweep have a what-if that no real server has ({whatIf}).
        </EvidenceNote>
      )}
      <ServerSelect {...choice} />
      {figure === undefined ? (
        <p className="muted">This server has no measurements that a sweep also takes.</p>
      ) : (
        <>
          <FigureSelect figures={figures} shown={figure} onChange={wish} />
          <Drawn
            figure={figure}
            curves={curvesOf(server, figure, outcome)}
            reported={reportedOf(known, figure, reported)}
            published={figure.figure === null ? known.published : []}
            server={server}
          />
        </>
      )}
    </>
  );
}

/** Returns the runs of one design, or of all if `design` is null. */
function sweptRuns(outcome: SweepOutcome | null, design: number | null): SweptRun[] {
  return (outcome?.runs ?? []).flatMap((run) => {
    const measured = measuredOf(run);
    if (measured === null || !run.outcome.ok || (design !== null && run.design !== design)) return [];
    const { acquisitions, counters } = run.outcome.counted;
    const latches = Object.entries(acquisitions).map(([latch, taken]) => ({ latch, acquisitions: taken }));
    return [
      {
        clients: run.spec.threads,
        tps: measured.tps,
        run: { latches, count: (name: string) => counters[name] },
      },
    ];
  });
}

function curvesOf(server: MeasuredServer, figure: SweepFigure, outcome: SweepOutcome | null): Curve[] {
  const designs = (outcome?.plan.designs ?? []).map(({ title }, look) => ({
    look,
    title: `here, ${title}`,
    points: enginePoints(sweptRuns(outcome, look), figure),
  }));
  return [
    { look: REAL_SERVER, title: describeMachine(server), points: serverPoints(server, figure) },
    ...designs,
  ];
}

function reportedOf({ reported }: RealServers, figure: SweepFigure, figures: readonly ReportedFigure[]) {
  const link = reported.find((one) => one.experiment === figure.experiment && one.figure === figure.figure);
  return figures.find(({ id }) => id === link?.reported) ?? null;
}

interface FigureSelectProps {
  figures: readonly SweepFigure[];
  shown: SweepFigure;
  onChange: (title: string) => void;
}

function FigureSelect({ figures, shown, onChange }: FigureSelectProps) {
  return (
    <div className="server-choice">
      <label>
        {' '}
        Metric
        <select value={shown.title} onChange={({ target }) => onChange(target.value)}>
          <Options of={figures.map(({ title }) => ({ id: title, title }))} />
        </select>
      </label>
    </div>
  );
}

interface DrawnProps {
  figure: SweepFigure;
  curves: readonly Curve[];
  reported: ReportedFigure | null;
  published: readonly Published[];
  server: MeasuredServer;
}

function Drawn({ figure, curves, reported, published, server }: DrawnProps) {
  const isThroughput = figure.figure === null;
  const base = isThroughput ? commonClients(curves.map(({ points }) => points)) : null;
  const drawn = curves.map((curve) => ({
    ...curve,
    points: base === null ? curve.points : asMultiples(curve.points, base),
  }));
  const isDrawn = !isThroughput || base !== null;
  return (
    <>
      {isDrawn && <Chart figure={figure} curves={drawn} base={base} />}
      <Note figure={figure} base={base} reported={reported} server={server} />
      <ValueTable figure={figure} curves={curves} base={base} published={published} server={server} />
    </>
  );
}

function Chart({
  figure,
  curves,
  base,
}: {
  figure: SweepFigure;
  curves: readonly Curve[];
  base: number | null;
}) {
  const shown = JSON.stringify(curves);
  const threadsAxis = useExplorer((state) => state.threadsAxis);
  const view = useMemo((): ChartView => {
    const told = (JSON.parse(shown) as Curve[]).filter(({ points }) => points.length > 0);
    return {
      series: told.map(({ look, points }) => ({
        design: look,
        points: points.map(({ clients, value }) => ({
          at: clients,
          mean: value,
          low: value,
          high: value,
        })),
      })),
      places: clientsOf(told),
      xTitle: 'client threads',
      threadsAxis,
      title: base === null ? figure.figure! : `throughput relative to ${counted(base, 'client')}`,
      format: formatCompact,
    };
  }, [shown, figure.figure, base, threadsAxis]);
  return (
    <>
      <SweepCurves
        designs={curves.map(({ look, title, points }) => ({
          design: look,
          title: points.length > 0 ? title : `${title}: not measured`,
        }))}
        view={view}
        label={`${figure.title} against client threads: ${curves.map(({ title }) => title).join('; ')}`}
      />
    </>
  );
}

const clientsOf = (curves: readonly { points: readonly SweptPoint[] }[]) =>
  [...new Set(curves.flatMap(({ points }) => points.map(({ clients }) => clients)))].sort((a, b) => a - b);

interface NoteProps {
  figure: SweepFigure;
  base: number | null;
  reported: ReportedFigure | null;
  server: MeasuredServer;
}

function Note({ figure, base, reported, server }: NoteProps) {
  const steps = measurableNamed(figure.experiment)?.title.toLowerCase();
  return (
    <p className="muted table-remark">
      {reported !== null &&
        `Reported: ${formatRange(reported.value)} ${reported.unit}; ${reported.conditions}. `}
      {figure.figure !== null && 'Here: acquisitions per operation in a run. '}
      {figure.figure === null &&
        base !== null &&
        `Each curve is relative to its own value with ${counted(base, 'client')}: machines, rows and clients differ, so only the growth of throughput is comparable. `}
      {figure.figure === null &&
        base === null &&
        'The curves share no number of clients, so the growth of throughput is not comparable. '}
      {serverTitle(server)}: {steps}, with performance_schema on
      {figure.figure === null && `; ${server.cores} cores for server and clients`}.
    </p>
  );
}

interface TableProps {
  figure: SweepFigure;
  curves: readonly Curve[];
  base: number | null;
  published: readonly Published[];
  server: MeasuredServer;
}

function ValueTable({ figure, curves, base, published, server }: TableProps) {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const all = [...new Set([...clientsOf(curves), ...published.map(({ clients }) => clients)])].sort(
    (a, b) => a - b,
  );
  const isThroughput = figure.figure === null;
  const titleOf = ({ look, title }: Curve) =>
    look === REAL_SERVER
      ? serverTitle(server) + (isThroughput ? `, ${figure.unit}` : '')
      : title + (isThroughput ? ', TPS' : '');
  return (
    <Table
      region="Clients and metrics, table"
      className="experiment-table"
      rows={all}
      columns={[
        ['clients', (clients) => clients],
        ...(isThroughput ? [publishedColumn(published, manifest)] : []),
        ...curves.map((curve): Column<number> => [
          titleOf(curve),
          (clients) => <Value curve={curve} clients={clients} base={base} isCount={!isThroughput} />,
        ]),
      ]}
    />
  );
}

/**
 * Returns the title of a reproduction's run, named after its design or after the variant that it
 * changes to.
 */
function titleOfRun({ design_titles, knobs }: Manifest, run: string): string {
  const variants = knobs.flatMap((knob) => knob.variants);
  return design_titles[run] ?? variants.find(({ id }) => id === run)?.title ?? run.replaceAll('_', ' ');
}

const publishedColumn = (published: readonly Published[], manifest: Manifest): Column<number> => [
  'reported',
  (clients) => {
    const here = published.filter((one) => one.clients === clients);
    if (here.length === 0) return DASH;
    return here.map(({ value, unit, run }) => (
      <div key={run}>
        {formatRange(value)} {unit} <span className="muted">({titleOfRun(manifest, run)})</span>
      </div>
    ));
  },
];

interface ValueProps {
  curve: Curve;
  clients: number;
  base: number | null;
  isCount: boolean;
}

function Value({ curve: { points }, clients, base, isCount }: ValueProps) {
  const value = points.find((point) => point.clients === clients)?.value;
  if (value === undefined) return DASH;
  if (isCount) return formatCount(value);
  const multiple =
    base === null ? undefined : asMultiples(points, base).find((point) => point.clients === clients)?.value;
  return (
    <>
      {formatFigure(value)}
      {multiple !== undefined && <span className="muted figure-conditions">{formatCount(multiple)} ×</span>}
    </>
  );
}
