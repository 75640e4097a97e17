import { useMemo } from 'react';

import { formatDurationNs, formatWhole } from '../../analysis/format';
import { foldSlowLog, type Convoy } from '../../analysis/slow-log';
import { SERVER_LOG_LINES_KEPT } from '../../recording/server-log';
import { EvidenceNote } from '../../widgets/evidence-note';
import { useExplorer } from '../../widgets/session-context';

/**
 * Shows the server's error log and slow query log verbatim. Statements that were slow at the same
 * time are folded.
 */
export default function ServerLogOutput() {
  const { lines, left_out } = useExplorer((state) => state.server_log);
  const parts = useMemo(() => foldSlowLog(lines), [lines]);
  return (
    <>
      <EvidenceNote>
        Error log and slow query log of this run, up to {formatWhole(SERVER_LOG_LINES_KEPT)} lines
        {left_out > 0 && `; ${formatWhole(left_out)} lines omitted`}.
      </EvidenceNote>
      {lines.length === 0 && <p className="muted">The server log is empty.</p>}
      {parts.map((part, place) =>
        part.kind === 'lines' ? (
          <Output key={place} lines={part.lines} />
        ) : (
          <ConvoyOutput key={place} convoy={part} />
        ),
      )}
    </>
  );
}

const Output = ({ lines }: { lines: readonly string[] }) => <pre className="output">{lines.join('\n')}</pre>;

/** Shows the longest statement first and folds the statements that were slow meanwhile. */
function ConvoyOutput({ convoy: { longest, others } }: { convoy: Convoy }) {
  const timesS = others.map(({ tookS }) => tookS);
  const [shortest, longestOfOthers] = [Math.min(...timesS), Math.max(...timesS)].map(inWords);
  return (
    <section aria-label={`Slow together: ${others.length + 1} statements`}>
      <p>
        Slowest session: {longest.session}, {inWords(longest.tookS)}.
      </p>
      <Output lines={longest.lines} />
      <details>
        <summary>
          {formatWhole(others.length)} more slow statements, {shortest} to {longestOfOthers}
        </summary>
        <Output lines={others.flatMap(({ lines }) => lines)} />
      </details>
    </section>
  );
}

const inWords = (seconds: number) => formatDurationNs(seconds * 1e9);
