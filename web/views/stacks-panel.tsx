import { CodeName } from './code-name';
import { Panel } from './panel';
import { useExplorer } from './session-context';

/** Aggregated thread stacks in the form of the bug report: a count, then the frames, innermost first. */
export function StacksPanel() {
  const stacks = useExplorer((state) => state.live?.stacks);
  const stacks_seen = useExplorer((state) => state.live?.stacks_seen ?? 0);
  return (
    <Panel title="Thread stacks" note={stacks_seen > 0 ? `of ${stacks_seen} seen in 5 s` : undefined}>
      <ol
        className="scroller stacks"
        tabIndex={0}
        aria-label="Aggregated thread stacks, innermost function first"
      >
        {stacks?.map(({ count, frames }) => (
          <li key={frames.join()}>
            <span className="stack-count">{count}</span>
            <span className="stack-frames">
              <CodeName name={frames.join(',')} />
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
