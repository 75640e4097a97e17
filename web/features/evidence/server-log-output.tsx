import { formatWhole } from '../../analysis/format';
import { SERVER_LOG_LINES_KEPT } from '../../recording/server-log';
import { EvidenceNote } from '../../widgets/evidence-note';
import { useExplorer } from '../../widgets/session-context';

/** The server's error log and slow query log, word for word. */
export function ServerLogOutput() {
  const { lines, left_out } = useExplorer((state) => state.server_log);
  return (
    <>
      <EvidenceNote>
        Error log and slow query log of this run, up to {formatWhole(SERVER_LOG_LINES_KEPT)} lines
        {left_out > 0 && `; ${formatWhole(left_out)} lines are left out`}.
      </EvidenceNote>
      {lines.length === 0 ? (
        <p className="muted">The server has written nothing.</p>
      ) : (
        <pre className="output">{lines.join('\n')}</pre>
      )}
    </>
  );
}
