import { EvidenceNote } from '../../widgets/evidence-note';
import { FoldedStacks } from '../../widgets/folded-stacks';
import { useSamplesSpan } from '../../widgets/run-time';
import { useExplorer, useInFrame } from '../../widgets/session-context';

/**
 * Shows aggregated thread stacks in the form of the bug report: a count, then the frames, innermost
 * first.
 */
export default function StackList() {
  const stacks = useInFrame((state) => state.live?.stacks);
  const stacksSeen = useInFrame((state) => state.live?.stacks_seen ?? 0);
  const span = useSamplesSpan();
  const whose = useExplorer((state) => (state.opened === null ? 'clients' : 'threads'));
  return (
    <>
      <EvidenceNote>
        Samples of {whose} per stack, innermost function first
        {stacksSeen > 0 && `; ${stacksSeen} samples in ${span}`}.
      </EvidenceNote>
      <FoldedStacks stacks={stacks ?? []} label="Aggregated thread stacks" />
    </>
  );
}
