// Renders a titled panel.
import { useId, type ReactNode, type Ref } from 'react';

interface PanelProps {
  title: string;
  /** A few words after the title on how to read the panel. */
  remark?: string | undefined;
  /**
   * Shown at the other end of the title's line: the source of the numbers, a legend, or buttons.
   */
  note?: ReactNode;
  className?: string;
  /** The title, which can then take the focus. */
  heading?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

export function Panel({ title, remark, note, className = '', heading, children }: PanelProps) {
  const titleId = useId();
  return (
    <section className={`panel ${className}`} aria-labelledby={titleId} data-panel={title}>
      <header className="panel-header">
        <span>
          <h2 id={titleId} ref={heading} tabIndex={heading === undefined ? undefined : -1}>
            {title}
          </h2>
          {remark !== undefined && <span className="panel-remark">{remark}</span>}
        </span>
        {note !== undefined && <span className="panel-note">{note}</span>}
      </header>
      {children}
    </section>
  );
}
