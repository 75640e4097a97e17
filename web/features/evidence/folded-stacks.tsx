import { useState } from 'react';

import { foldedFrames, type StackFold } from '../../analysis/folded-stacks';
import type { FoldedStack } from '../../contract/live-view';
import { CodeName } from '../../widgets/code-name';
import { EvidenceNote } from '../../widgets/evidence-note';
import { useSamplesSpan } from '../../widgets/run-time';
import { useExplorer, useInFrame } from '../../widgets/session-context';

/**
 * Lists stacks with their counts. Folds common frames, and emphasizes the frame in which each stack
 * differs.
 */
export function FoldedStacks({ stacks, label }: { stacks: readonly FoldedStack[]; label: string }) {
  return (
    <ol className="stacks" aria-label={label}>
      {foldedFrames(stacks).map((fold, index) => (
        <StackItem key={index} fold={fold} />
      ))}
    </ol>
  );
}

function StackItem({ fold: { count, own, between, shared } }: { fold: StackFold }) {
  const [isOpen, setOpen] = useState(false);
  const folded = between.length + shared.length;
  const frames = isOpen ? [...between, ...shared] : [];
  return (
    <li>
      <span className="stack-count">{count}</span>
      <span className="stack-frames">
        {own.map((frame, depth) => (
          <span key={depth} className={depth === own.length - 1 ? 'stack-differs' : undefined}>
            <CodeName name={frame} />
          </span>
        ))}
        {frames.map((frame, depth) => (
          <span key={depth} className="stack-shared">
            <CodeName name={frame} />
          </span>
        ))}
        {folded > 0 && (
          <button
            type="button"
            className="link-button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'hide common frames' : `show ${folded} common frames`}
          </button>
        )}
      </span>
    </li>
  );
}

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
