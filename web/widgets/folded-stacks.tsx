import { useState } from 'react';

import { foldedFrames, type StackFold } from '../analysis/folded-stacks';
import type { FoldedStack } from '../contract/live-view';
import { CodeName } from './code-name';

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
