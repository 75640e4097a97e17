import { useState } from 'react';

import type { ImportReport, ReportedLatch } from '../../contract/import-report';
import { formatFigure } from '../../analysis/format';
import { describeFaults } from '../../contract/fault';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { Part } from '../../widgets/part';
import { useExplorer, useModel } from '../../widgets/session-context';
import {
  Bridges,
  headlineWithoutLatches,
  leadWithoutLatches,
  namesFunctions,
  NothingMatched,
} from './bridges';
import { LatchCard } from './latch-card';
import { LatchTable } from './latch-table';
import { ModelPanel } from './model-panel';
import { ProbedTime } from './probed-time';
import './waits.css';

/** Reads what a server prints about its waits, and ranks its latches. */
export default function WaitsView() {
  const report = useExplorer((state) => state.waits.report);
  return (
    <main className="waits">
      <header className="waits-header">
        <h1>{report === null ? 'Which latch stops your server?' : headlineOf(report)}</h1>
        <p className="waits-lead">
          {report === null
            ? 'Drop or paste what your server prints about its waits. Nothing leaves this page.'
            : basisInWords(report)}
        </p>
      </header>
      <Part name="The latch">
        <LatchCard />
      </Part>
      <Part name="The reading">
        <Reading />
        <RefusedText />
      </Part>
      {report !== null && (
        <Part name="The answer">
          <Answer report={report} />
        </Part>
      )}
      {report !== null && (
        <Part name="The model">
          <ModelPanel report={report} />
        </Part>
      )}
      <Bridges />
      <Part name="The texts">
        <Texts report={report} />
      </Part>
    </main>
  );
}

/** Below it, waiting at all latches together keeps less than one thread from its work. */
const FEW_THREADS = 1;

function headlineOf(report: ImportReport): string {
  const { latches, basis } = report;
  const [first] = latches;
  if (basis === null) return headlineWithoutLatches(report);
  if (first === undefined || first.share === 0) return 'No thread waited for a latch';
  const threads = waitingThreads(latches);
  return threads !== null && threads < FEW_THREADS
    ? 'Latches hardly hold this server up'
    : `Threads wait most ${first.matched === null && namesFunctions(basis) ? 'in' : 'for'} ${first.matched?.name ?? first.name}`;
}

/** Returns how many threads waited at once, on average; null if the texts do not tell. */
function waitingThreads(latches: readonly ReportedLatch[]): number | null {
  const known = latches.flatMap(({ waiting_threads: threads }) => threads ?? []);
  return known.length === 0 ? null : known.reduce((sum, threads) => sum + threads, 0);
}

const bases: Record<NonNullable<ImportReport['basis']>, string> = {
  'time between snapshots': 'Shares of the time that threads waited between the snapshots',
  'time since the server started':
    'Shares of the time that threads waited since the server started. A second snapshot, some seconds later, would show the present waits',
  'sleeps since the server started':
    'Shares of how often threads slept since the server started. How long they slept is not known',
  'threads at one moment': 'Shares of the threads that waited at one moment',
  'blocked stacks': 'Shares of the threads that were blocked, by the function in which they waited',
  'probed time': 'Shares of the time that threads waited while the probe was attached',
  'waits in a run of the model': 'Shares of the time that threads slept in a run of the model',
  'acquisitions in measured runs':
    'Shares of the acquisitions in measured runs. How long threads waited is not known',
};

function basisInWords(report: ImportReport): string {
  const { basis, interval_s, statements, latches } = report;
  if (basis === null) return leadWithoutLatches(report);
  const threads = waitingThreads(latches);
  const waiting =
    threads === null
      ? ''
      : ` On average, ${formatFigure(Number(threads.toPrecision(2)))} threads waited for a latch at once.`;
  const during = interval_s === null ? '' : `, ${formatFigure(interval_s)} s`;
  const meanwhile = statements === null ? '' : `, ${formatFigure(statements)} statements`;
  return `${bases[basis]}${during}${meanwhile}.${waiting}`;
}

function Reading() {
  const reading = useExplorer((state) => state.waits.reading);
  if (reading === null) return null;
  return (
    <p className="waits-reading" role="status">
      Reading {reading.name}
      <progress max={1} value={reading.part} aria-label="Progress of the reading" />
      <CommandButton command="waits.cancel">Cancel</CommandButton>
    </p>
  );
}

function RefusedText() {
  const refused = useExplorer((state) => state.waits.refused);
  if (refused === null) return null;
  return (
    <div className="notice" role="alert">
      <strong>
        <span className="file-name">{refused.name}</span> was not read; earlier texts are unchanged.
      </strong>
      <ul>
        {describeFaults([refused.fault]).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}

/** The report for scripts has all events. */
const APART_MAX = 100;

function Answer({ report }: { report: ImportReport }) {
  const { latches, apart, basis } = report;
  return (
    <>
      <NothingMatched report={report} />
      {latches.length > 0 && <LatchTable report={report} />}
      {basis === 'probed time' && <ProbedTime />}
      {apart.length > 0 && (
        <details className="waits-apart">
          <summary>Not counted as waiting at latches: {apart.length} events</summary>
          <ul>
            {apart.slice(0, APART_MAX).map(({ event, reason }) => (
              <li key={event}>
                <code>{event}</code>: {reason}
              </li>
            ))}
          </ul>
          {apart.length > APART_MAX && <p>{`${apart.length - APART_MAX} more`}</p>}
        </details>
      )}
    </>
  );
}

function Texts({ report }: { report: ImportReport | null }) {
  const waits = useModel('waits');
  const [text, setText] = useState('');
  const read = () => {
    void waits.paste(text);
    setText('');
  };
  return (
    <Panel title={report === null ? 'Your texts' : 'More texts'}>
      {report !== null && (
        <ul className="waits-texts">
          {report.files.map(({ name, title }, place) => (
            <li key={`${place} ${name}`}>
              <span className="file-name">{name}</span>: {title}{' '}
              <button
                type="button"
                className="button"
                onClick={() => void waits.remove(place)}
                aria-label={`Remove ${name}`}
              >
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
      <textarea
        className="waits-paste"
        aria-label="Text from your server"
        placeholder="Paste here, or drop files anywhere on the page"
        rows={report === null ? 8 : 3}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
        }}
      />
      <p className="row">
        <button type="button" className="button button-main" disabled={text.trim() === ''} onClick={read}>
          Read this text
        </button>
        <CommandButton command="waits.open">Open files…</CommandButton>
        {report !== null && <CommandButton command="waits.clear">Remove all</CommandButton>}
      </p>
      <FormsInWords isOpen={report === null} />
    </Panel>
  );
}

const FormsInWords = ({ isOpen }: { isOpen: boolean }) => (
  <details className="waits-forms" open={isOpen}>
    <summary>What it reads</summary>
    <ul>
      <li>
        one or two snapshots of <code>performance_schema.events_waits_summary_global_by_event_name</code>, as
        the mysql client prints them, or as CSV
      </li>
      <li>
        <code>SHOW ENGINE INNODB STATUS</code> and <code>SHOW ENGINE INNODB MUTEX</code>
      </li>
      <li>stacks of all threads: from gdb, from pt-pmp, or folded</li>
      <li>tables of klockstat, profiles of contention from pprof, and logs of sysbench</li>
    </ul>
    <p>
      Two snapshots, ten seconds apart while the server is slow, tell most. Add{' '}
      <code>SHOW GLOBAL STATUS</code> to each, and the table also counts acquisitions per statement.
    </p>
  </details>
);
