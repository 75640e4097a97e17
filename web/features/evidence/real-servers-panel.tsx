import { DASH, counted, formatCount, formatFigure, formatRange, formatRangeOf } from '../../analysis/format';
import {
  costRows,
  countTables,
  type CountRow,
  type CountTable,
  type RealServers,
} from '../../analysis/real-servers/count-tables';
import type { EngineRun } from '../../contract/real-servers/engine-run.mjs';
import { serverTitle, type MeasuredServer } from '../../contract/real-servers/measured-server.mjs';
import type { LiveView } from '../../contract/live-view';
import type { BugManifest, Manifest } from '../../contract/manifest';
import { Panel } from '../../widgets/panel';
import { ServerSelect, useServerChoice } from '../../widgets/server-choice';
import { useExplorer, useInFrame } from '../../widgets/session-context';
import { Loading } from '../../widgets/loading';
import { Table, type Column } from '../../widgets/table';
import { useRealServers } from '../../widgets/use-loaded';

/** Compares the report's counts with those of a real server and of the engine. */
export default function RealServersPanel() {
  const known = useRealServers();
  if (known instanceof Error) return <p role="alert">{known.message}</p>;
  if (known === null) return <Loading />;
  return (
    <Panel title="Counted on real servers" className="real-servers">
      <Counted known={known} />
    </Panel>
  );
}

function Counted({ known }: { known: RealServers }) {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const live = useInFrame((state) => state.live);
  const choice = useServerChoice(known);
  const server = choice.shown;
  if (server === null)
    return (
      <p className="muted">No real server was measured for this bug. Open a measured file to compare.</p>
    );
  const run = live === null ? null : engineRunOf(live);
  return (
    <>
      <ServerSelect {...choice} />
      <MeasuredNote server={server} />
      {countTables(server, known, run).map((table) => (
        <CountsTable
          key={table.measurable.experiment}
          table={table}
          server={server}
          reported={manifest.reported ?? []}
        />
      ))}
      <EngineNote design={known.variants[server.name]} manifest={manifest} />
      <Costs rows={costRows(server, known)} server={server} />
    </>
  );
}

/** Converts the live figures to the window of the latch and counter tables. */
function engineRunOf({ latch_rows, counts, table_window_s }: LiveView): EngineRun {
  return {
    latches: latch_rows,
    count: (counter) => {
      const perS = counts[counter]?.per_s;
      return perS == null ? undefined : perS * table_window_s;
    },
  };
}

function MeasuredNote({
  server: { version, packaged, cpu_model, cores, measured_at },
}: {
  server: MeasuredServer;
}) {
  return (
    <p className="muted table-remark">
      Version {version}
      {packaged !== null && `, ${packaged}`}; {counted(cores, 'core')} of {cpu_model}; counted on{' '}
      {measured_at} by <code>performance_schema</code>.
    </p>
  );
}

interface CountsTableProps {
  table: CountTable;
  server: MeasuredServer;
  reported: BugManifest['reported'];
}

function CountsTable({ table: { measurable, clients, rows }, server, reported }: CountsTableProps) {
  const hasReported = rows.some((row) => row.reported !== null);
  const reportedColumn: Column<CountRow> = [
    'reported',
    (row) => {
      const figure = reported.find(({ id }) => id === row.reported);
      return figure === undefined ? DASH : formatRange(figure.value);
    },
  ];
  return (
    <Table
      region={`${measurable.title}, table`}
      className="counted"
      caption={
        <>
          {measurable.title} <span className="muted">with {clients.join(', ')} clients</span>
        </>
      }
      rows={rows}
      columns={[
        [
          'per operation',
          ({ figure, differs, because }) => (
            <>
              {figure}
              {differs && <Difference because={because} />}
            </>
          ),
        ],
        ...(hasReported ? [reportedColumn] : []),
        [serverTitle(server), (row) => formatRangeOf(row.server, formatCount)],
        ['here, census', ({ census }) => (census === null ? DASH : formatRangeOf(census, formatCount))],
        ['here, this run', ({ here }) => formatCount(here)],
      ]}
    />
  );
}

function Difference({ because }: { because: string | null }) {
  if (because === null) return <span className="figure-conditions">Differs; cause unknown.</span>;
  return (
    <details className="figure-conditions">
      <summary>Differs. Why?</summary>
      {because}
    </details>
  );
}

function EngineNote({
  design,
  manifest,
}: {
  design: RealServers['variants'][string] | undefined;
  manifest: Manifest;
}) {
  const titles = manifest.knobs.flatMap(
    (knob) => knob.variants.find(({ id }) => id === design?.[knob.id])?.title ?? [],
  );
  return (
    <p className="muted table-remark">
      {design === undefined
        ? 'Here, census: no design of the engine represents this server. '
        : `Here, census: the engine with “${titles.join('”, “')}”, which represents this server, in the same steps with the same number of clients on the virtual server. `}
      <code>npm run census</code> repeats the count; differences above 2 % are explained. Here, this run:
      acquisitions per operation in the run on this page, with its own design and parameters.
    </p>
  );
}

function Costs({ rows, server }: { rows: ReturnType<typeof costRows>; server: MeasuredServer }) {
  if (rows.length === 0) return null;
  return (
    <Table
      className="counted"
      caption={
        <>
          CPU time on the server <span className="muted">one client, performance_schema off</span>
        </>
      }
      rows={rows}
      columns={[
        ['per operation', ({ figure }) => figure.replace(/^CPU (us|ns) per /, '')],
        [
          serverTitle(server),
          ({ figure, cost }) =>
            `${formatRangeOf(cost, formatFigure)} ${figure.startsWith('CPU ns') ? 'ns' : 'µs'}`,
        ],
      ]}
    />
  );
}
