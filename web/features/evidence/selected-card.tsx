import type { ReactNode } from 'react';

import {
  DASH,
  formatDurationNs,
  formatFigure,
  formatPerOperation,
  formatRatio,
  formatShare,
  formatWhole,
} from '../../analysis/format';
import { describeMark } from '../../session/log';
import type { RunPhase } from '../../session/measured-phases';
import type { Selected, SelectedPoint, SelectedSpan } from '../../session/store';
import { CodeName } from '../../widgets/code-name';
import { CommandRow } from '../../widgets/command-button';
import { FoldedStacks } from '../../widgets/folded-stacks';
import { Panel } from '../../widgets/panel';
import { useIsVirtual, useRunTime } from '../../widgets/run-time';
import { useExplorer, useInFrame, useSession } from '../../widgets/session-context';
import { usePhases } from '../../widgets/use-phases';
import { evidenceCommandId } from './evidence';

/** Shows the selected part of the run with its figures, its stacks and a link to its source. */
export default function SelectedCard({ selected }: { selected: Selected }) {
  switch (selected.kind) {
    case 'phase':
      return <PhaseCard fromS={selected.fromS} />;
    case 'mark':
      return <MarkCard number={selected.number} />;
    case 'point':
      return <PointCard point={selected} />;
    case 'span':
      return <SpanCard span={selected} />;
    case 'latch':
      return <LatchCard latch={selected.latch} />;
    case 'function':
      return <FunctionCard name={selected.name} />;
  }
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  const session = useSession();
  const close = (
    <button
      type="button"
      className="button button-icon button-small"
      title="Close"
      onClick={() => session.select(null)}
    >
      <span aria-hidden="true">✕</span>
      <span className="visually-hidden">Close “{title}”</span>
    </button>
  );
  return (
    <Panel title={title} note={close} className="selected-card">
      {children}
    </Panel>
  );
}

function Figures({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <dl className="selected-figures">
      {rows.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function PhaseCard({ fromS }: { fromS: number }) {
  const phase = usePhases().find((one) => one.fromS === fromS);
  if (phase === undefined) return null;
  return (
    <Card title={`Phase: ${phase.label}`}>
      <PhaseFigures phase={phase} />
    </Card>
  );
}

function PhaseFigures({ phase }: { phase: RunPhase }) {
  const formatRunTime = useRunTime();
  const { tps, ratio, toS, measuredFromS, isSettled } = phase;
  return (
    <>
      <Figures
        rows={[
          ['transactions per second', formatWhole(tps)],
          ['vs. previous phase', formatRatio(ratio)],
          ['measured from', formatRunTime(measuredFromS)],
          ['to', formatRunTime(toS)],
        ]}
      />
      <p className="muted table-remark">
        {isSettled
          ? 'Measurement starts when every client has finished the transaction it was in at the change.'
          : 'Not settled: too few transactions per client since the change.'}
      </p>
    </>
  );
}

function MarkCard({ number }: { number: number }) {
  const mark = useExplorer((state) => state.marks.find((one) => one.number === number));
  const phases = usePhases();
  const formatRunTime = useRunTime();
  if (mark === undefined) return null;
  const after = phases.find(({ fromS, toS }) => fromS <= mark.run_ns / 1e9 && mark.run_ns / 1e9 < toS);
  return (
    <Card title={describeMark(mark).text}>
      <Figures rows={[['at', formatRunTime(mark.run_ns / 1e9)]]} />
      {after !== undefined && <PhaseFigures phase={after} />}
    </Card>
  );
}

function PointCard({ point }: { point: SelectedPoint }) {
  const formatRunTime = useRunTime();
  const { fromS, tS, p50Ns, p99Ns, maxNs } = point;
  return (
    <Card title={`Latency at ${formatRunTime(tS)}`}>
      <Figures
        rows={[
          ['transactions ended after', formatRunTime(fromS)],
          ['median', formatDurationNs(p50Ns)],
          ['99th percentile', formatDurationNs(p99Ns)],
          ['maximum', formatDurationNs(maxNs)],
        ]}
      />
      <Explain
        commands={{
          'explain.point_p99': 'Explain the 99th percentile',
          'explain.point_slowest': 'Explain the slowest',
        }}
      />
    </Card>
  );
}

/** Renders buttons that explain a transaction, from command ids and their titles here. */
function Explain({ commands }: { commands: Record<string, string> }) {
  if (!useIsVirtual())
    return (
      <p className="muted">
        On real threads, the cause of one slow transaction is unknown. Ask the virtual server.
      </p>
    );
  return <CommandRow of={commands} />;
}

function SpanCard({ span }: { span: SelectedSpan }) {
  return (
    <>
      <Card title={span.thread}>
        <p>{span.words}</p>
        {span.clientMoment !== null && (
          <Explain commands={{ 'explain.selected': 'Explain this transaction' }} />
        )}
      </Card>
      {span.latch !== null && <LatchFigures latch={span.latch} />}
    </>
  );
}

function LatchCard({ latch }: { latch: string }) {
  return (
    <Card title={latch}>
      <LatchFigures latch={latch} />
    </Card>
  );
}

function LatchFigures({ latch }: { latch: string }) {
  const { operation } = useExplorer((state) => state.scenario.manifest.unit_of_work);
  const row = useInFrame((state) => state.live?.latch_rows.find((one) => one.latch === latch));
  const now = useInFrame((state) => state.live?.latches_now[latch]);
  const functions = row?.sites.map((site) => site.function) ?? [];
  if (row === undefined) return <p className="muted">No data for {latch}.</p>;
  return (
    <>
      <Figures
        rows={[
          [`acquisitions per ${operation}`, formatPerOperation(row.per_operation)],
          ['waiting', formatShare(row.waiting_share)],
          ['spinning', formatShare(row.spinning_share)],
          ['stalled on cache line', formatShare(row.line_stall_share)],
          ['mean hold', formatDurationNs(row.mean_hold_ns)],
          ['mean wait', formatDurationNs(row.mean_wait_ns)],
          ['per second', formatFigure(row.acquisitions_per_s)],
          ['held by', now === undefined ? DASH : now.holders.join(', ') || 'no one'],
        ]}
      />
      <p>Acquired in:</p>
      <ul className="selected-sites">
        {functions.map((name) => (
          <li key={name}>
            <FunctionButton name={name} />
          </li>
        ))}
      </ul>
      <Ways />
    </>
  );
}

function FunctionButton({ name }: { name: string }) {
  const session = useSession();
  return (
    <button type="button" className="link-button" onClick={() => session.select({ kind: 'function', name })}>
      <CodeName name={name} />
    </button>
  );
}

/** Shows how often clients were sampled in a function, where, and which latches it acquires. */
function FunctionCard({ name }: { name: string }) {
  const all = useInFrame((state) => state.live?.stacks);
  const seen = useInFrame((state) => state.live?.stacks_seen ?? 0);
  const latches = useInFrame((state) => state.live?.latch_rows);
  const stacks = (all ?? []).filter(({ frames }) => frames.includes(name));
  const found = stacks.reduce((sum, { count }) => sum + count, 0);
  const taken = (latches ?? []).filter(({ sites }) => sites.some((site) => site.function === name));
  return (
    <Card title={name}>
      <Figures
        rows={[
          ['found in', `${formatWhole(found)} of ${formatWhole(seen)} samples`],
          ['acquires', taken.map(({ latch }) => latch).join(', ') || 'no latch'],
        ]}
      />
      <FoldedStacks stacks={stacks} label={`Stacks with ${name}`} />
      <Ways />
    </Card>
  );
}

/** Links to more details. */
const Ways = () => (
  <CommandRow
    className="selected-ways"
    of={{
      [evidenceCommandId('latches')]: 'All latches',
      [evidenceCommandId('source')]: 'Source',
      [evidenceCommandId('flame')]: 'Flame graph',
    }}
  />
);
