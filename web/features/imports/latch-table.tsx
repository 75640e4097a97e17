// Ranks the latches of a server: one row each, which opens for what the catalogue knows of it.
import { useState } from 'react';

import { formatDurationNs, formatFigure, formatShare } from '../../analysis/format';
import type { ImportReport, NamedServer, ReportedLatch } from '../../contract/import-report';
import type { Scenario } from '../../contract/manifest';
import { CodeName } from '../../widgets/code-name';
import { useExplorer } from '../../widgets/session-context';
import { Table, type Column } from '../../widgets/table';
import { namesFunctions } from './bridges';
import { LatchFacts, MainBug } from './latch-facts';
import { LATCHES_SHOWN_MAX } from './modeled-latches';
import './latch-table.css';

export function LatchTable({ report }: { report: ImportReport }) {
  const scenarios = useExplorer((state) => state.scenarios);
  const { latches, server } = report;
  // The answer is the first latch, so it is open until the reader closes it.
  const [opened, setOpened] = useState<ReadonlySet<string> | null>(null);
  const first = latches[0]?.matched == null ? [] : [latches[0].name];
  const open = opened ?? new Set(first);
  const toggle = ({ name }: ReportedLatch) => {
    setOpened(open.has(name) ? new Set([...open].filter((one) => one !== name)) : new Set([...open, name]));
  };
  const shown = columnsOf(latches);
  const columns: Column<ReportedLatch>[] = [
    [
      namesFunctions(report.basis) ? 'function' : 'latch',
      (latch) => <LatchName latch={latch} isOpen={open.has(latch.name)} onToggle={() => toggle(latch)} />,
    ],
    ['share of waiting', ({ share }) => <Share share={share} most={latches[0]?.share ?? 0} />],
    ...shown.map(({ title, explanation, cellOf }): Column<ReportedLatch> => [
      explanation === null ? title : <span title={explanation}>{title}</span>,
      (latch) => cellOf(latch) ?? '',
    ]),
    ['known bug', ({ matched }) => <MainBug matched={matched} server={server} scenarios={scenarios} />],
  ];
  return (
    <>
      <Table
        className="latch-table"
        region="Latches by their share of waiting"
        columns={columns}
        rows={latches.slice(0, LATCHES_SHOWN_MAX)}
        detailsOf={(latch) =>
          open.has(latch.name) ? <Details {...{ latch, shown, server, scenarios }} /> : null
        }
      />
      {latches.length > LATCHES_SHOWN_MAX && (
        <p>{`${latches.length - LATCHES_SHOWN_MAX} more below these`}</p>
      )}
    </>
  );
}

interface FigureColumn {
  title: string;
  /** What the figure assumes; null: nothing. */
  explanation: string | null;
  /** Returns null where the texts do not tell. */
  cellOf: (latch: ReportedLatch) => string | null;
}

const orNull = (value: number | null | undefined, inWords: (known: number) => string) =>
  value == null ? null : inWords(value);

const allFigures: readonly FigureColumn[] = [
  {
    title: 'mean wait',
    explanation: 'Of all acquisitions, those that did not wait included',
    cellOf: ({ mean_wait_us: us }) => orNull(us, (known) => formatDurationNs(known * 1000)),
  },
  {
    title: 'per statement',
    explanation: 'Acquisitions per statement of the clients',
    cellOf: ({ per_statement: times }) => orNull(times, formatFigure),
  },
  {
    title: 'mean hold',
    explanation: null,
    cellOf: ({ hold }) => orNull(hold?.mean_hold_us, (us) => formatDurationNs(us * 1000)),
  },
  {
    title: 'utilization',
    explanation: 'Part of the time in which a thread holds it. Assumes that the caller has one latch',
    cellOf: ({ hold }) => orNull(hold?.utilization, formatShare),
  },
  {
    title: 'limit',
    explanation: '1 / mean hold. Assumes one latch, one holder at a time, and holds as long as now',
    cellOf: ({ hold }) =>
      orNull(hold?.max_acquisitions_per_s, (rate) => `${formatFigure(rate)} acquisitions/s`),
  },
  {
    title: 'limit of transactions',
    explanation: 'The limit at the present acquisitions per transaction',
    cellOf: ({ hold }) =>
      orNull(hold?.max_transactions_per_s, (rate) => `${formatFigure(rate)} transactions/s`),
  },
];

/** Returns the figures that the texts give for at least one latch. */
const columnsOf = (latches: readonly ReportedLatch[]) =>
  allFigures.filter(({ cellOf }) => latches.some((latch) => cellOf(latch) !== null));

interface LatchNameProps {
  latch: ReportedLatch;
  isOpen: boolean;
  onToggle: () => void;
}

function LatchName({ latch: { name, matched, hold }, isOpen, onToggle }: LatchNameProps) {
  const shown = (
    <code>
      <CodeName name={matched?.name ?? name} />
    </code>
  );
  return (
    <>
      {matched === null && hold === null ? (
        shown
      ) : (
        <button type="button" className="latch-toggle" aria-expanded={isOpen} onClick={onToggle}>
          {shown}
        </button>
      )}
      {matched !== null && matched.name !== name && (
        <span className="latch-event">
          <CodeName name={name} />
        </span>
      )}
    </>
  );
}

const Share = ({ share, most }: { share: number; most: number }) => (
  <span className="latch-share">
    {formatShare(share)}
    <span className="latch-bar" style={{ inlineSize: `${most === 0 ? 0 : (share / most) * 100}%` }} />
  </span>
);

interface DetailsProps {
  latch: ReportedLatch;
  shown: readonly FigureColumn[];
  server: NamedServer | null;
  scenarios: readonly Scenario[];
}

function Details({ latch, shown, server, scenarios }: DetailsProps) {
  const { matched, hold } = latch;
  const figures = shown.flatMap(({ title, cellOf }) => {
    const cell = cellOf(latch);
    return cell === null ? [] : [`${title} ${cell}`];
  });
  return (
    <div className="latch-details">
      {/* The columns of a wide table have them. */}
      {figures.length > 0 && <p className="latch-figures">{figures.join(' · ')}</p>}
      {hold?.remark != null && (
        <p>
          Held for {formatDurationNs(hold.mean_hold_us * 1000)} on average; {hold.remark}.
        </p>
      )}
      {matched !== null && <LatchFacts matched={matched} server={server} scenarios={scenarios} />}
    </div>
  );
}
