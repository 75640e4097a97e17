import { lazy, Suspense } from 'react';

import type { ImportReport } from '../../contract/import-report';
import { Loading } from '../../widgets/loading';
import { Part } from '../../widgets/part';
import { useExplorer } from '../../widgets/session-context';
import './bridges.css';

// Loaded when the first text has something to draw.
const StacksPanels = lazy(() => import('./stacks-panel'));
const CurvePanels = lazy(() => import('./curve-panel'));

/** Shows what the texts have beside latches: stacks, and the curve of a benchmark. */
export function Bridges() {
  const { threads, times } = useExplorer((state) => state.waits.stacks);
  const hasCurve = useExplorer((state) => state.waits.report?.usl != null);
  return (
    <>
      {(threads !== null || times !== null) && (
        <Part name="The stacks">
          <Suspense fallback={<Loading />}>
            <StacksPanels />
          </Suspense>
        </Part>
      )}
      {hasCurve && (
        <Part name="The curve">
          <Suspense fallback={<Loading />}>
            <CurvePanels />
          </Suspense>
        </Part>
      )}
    </>
  );
}

/** Returns the headline of texts that name no latches. */
export function headlineWithoutLatches({ runs, usl }: ImportReport): string {
  const [first] = runs;
  if (first === undefined) return 'These texts name no latches';
  const most = Math.max(...runs.map(({ threads }) => threads));
  const peak = usl?.ok ? usl.fit.peak : null;
  if (peak !== null && peak.threads <= most)
    return `Throughput peaks at ${inThreads(Math.round(peak.threads))}`;
  const best = runs.reduce((a, b) => (b.tps > a.tps ? b : a), first);
  return `Throughput is highest with ${inThreads(best.threads)}`;
}

const inThreads = (threads: number) => (threads === 1 ? '1 thread' : `${threads} threads`);

export const leadWithoutLatches = ({ runs }: ImportReport) =>
  runs.length === 0
    ? 'They have other content, which is listed below.'
    : 'The texts name no latches. Their runs give the curve below.';

/** Whether the texts name functions that wait, and not latches. */
export const namesFunctions = (basis: ImportReport['basis']) =>
  basis === 'blocked stacks' || basis === 'probed time';

/** Says so if no latch of the texts is in the catalogue. */
export function NothingMatched({ report: { basis, latches, runs } }: { report: ImportReport }) {
  const { threads, times } = useExplorer((state) => state.waits.stacks);
  if (basis === null || latches.length === 0 || latches.some(({ matched }) => matched !== null)) return null;
  const rest = [
    'the table',
    ...(threads !== null || times !== null ? ['the stacks'] : []),
    ...(runs.length > 0 ? ['the curve'] : []),
  ];
  return (
    <p className="waits-nothing">
      {namesFunctions(basis)
        ? 'These texts name functions, none of which is a latch of the catalogue'
        : 'None of these latches is in the catalogue'}
      , so no bug here explains them: they have {listed(rest)} alone.
    </p>
  );
}

const listed = (parts: readonly string[]) =>
  parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
