import type { ReactNode } from 'react';

import { CodeName } from './code-name';

interface BacktraceProps {
  title: string;
  /** Innermost function first; null: no such stack is known. */
  frames: readonly string[] | null;
  /** What the threads with this stack do, or why there is none. */
  children: ReactNode;
}

/** Shows where threads are blocked, in the form of a debugger's backtrace. */
export const Backtrace = ({ title, frames, children }: BacktraceProps) => (
  <section className="backtrace" aria-label={title}>
    <h3>{title}</h3>
    {children}
    {frames !== null && <BacktraceFrames frames={frames} />}
  </section>
);

const BacktraceFrames = ({ frames }: { frames: readonly string[] }) => (
  <ol className="backtrace-frames">
    {frames.map((frame, index) => (
      <li key={index}>
        <span className="frame-number">#{index}</span>{' '}
        <span>
          <CodeName name={frame} />
        </span>
      </li>
    ))}
  </ol>
);
