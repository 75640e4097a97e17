import { useEffect, useRef } from 'react';

import { all_terms, glossary_terms, type GlossaryTerm } from '../../contract/glossary';
import { useExplorer } from '../../widgets/session-context';
import type { GlossaryState } from './glossary';
import './glossary.css';

const meanings: Record<GlossaryTerm, string> = {
  latch:
    'A short lock in memory, which keeps threads from changing the same data at the same time. It is held for nanoseconds or microseconds, and no transaction knows of it. MySQL calls its own mutex or rw_lock. What a transaction locks, such as a row, is a lock.',
  s_and_x:
    'The two ways to hold a latch. S, shared: any number of threads may hold it at once, to read. X, exclusive: one thread alone, to write. Even an S latch is a word in memory to which each reader writes, so the cores still pass its cache line around.',
  read_view:
    'What a transaction may see: the rows as they were at one moment. A row that has changed since is built again from undo records, version by version. As long as a read view is open, the versions that it needs stay.',
  commit_group:
    'Transactions that commit together. The first is the leader and does the work for all; the others, its followers, sleep until it is done. So one write to the disk serves many.',
  purge:
    'Removing what nobody needs any more. InnoDB’s purge threads remove old versions of rows that no read view needs. The binary log’s purge deletes files that have expired.',
  spin: 'To look at a latch again and again in a loop, without sleeping, because it may be free in a moment. It saves the cost of going to sleep and of being woken. It uses a core meanwhile.',
  convoy:
    'A queue at a latch that does not dissolve: each thread that leaves it soon stands in it again, so the latch is handed from one to the next without a pause. Then the hand-over, not the work, sets the pace of the server.',
};

/** All words, in one list; the one that was asked for has the focus. */
export default function GlossaryPanel() {
  const asked_for = useExplorer((state: GlossaryState) => state.glossary_term);
  const term = useRef<HTMLElement>(null);
  useEffect(() => {
    term.current?.focus();
    term.current?.scrollIntoView({ block: 'nearest' });
  }, [asked_for]);
  return (
    <dl className="glossary">
      {all_terms.map((id) => (
        <div key={id} data-is-asked-for={id === asked_for}>
          <dt ref={id === asked_for ? term : undefined} tabIndex={-1}>
            {glossary_terms[id]}
          </dt>
          <dd>{meanings[id]}</dd>
        </div>
      ))}
    </dl>
  );
}
