import { CodeName } from '../../widgets/code-name';
import { EvidenceNote } from '../../widgets/evidence-note';
import { useLooksSpan } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';

/** Aggregated thread stacks in the form of the bug report: a count, then the frames, innermost first. */
export function StackList() {
  const stacks = useExplorer((state) => state.live?.stacks);
  const stacks_seen = useExplorer((state) => state.live?.stacks_seen ?? 0);
  const span = useLooksSpan();
  const whose = useExplorer((state) => (state.opened === null ? 'clients' : 'threads'));
  return (
    <>
      <EvidenceNote>
        How often {whose} were found with each stack, innermost function first
        {stacks_seen > 0 && `; of ${stacks_seen} seen in ${span}`}.
      </EvidenceNote>
      <ol className="stacks" aria-label="Aggregated thread stacks">
        {stacks?.map(({ count, frames }, index) => (
          <li key={index}>
            <span className="stack-count">{count}</span>
            <span className="stack-frames">
              <CodeName name={frames.join(',')} />
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
