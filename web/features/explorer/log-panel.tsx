// Shows the log of the run and scrolls to its latest entry.
import { useEffect, useRef } from 'react';

import { Panel } from '../../widgets/panel';
import { useIsVirtual, useRunTime } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';

export function LogPanel() {
  const log = useExplorer((state) => state.log);
  const formatRunTime = useRunTime();
  const isVirtual = useIsVirtual();
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [log]);
  return (
    <Panel title="Log" note={isVirtual ? 'virtual time' : 'run time'} className="log-panel">
      <ol ref={list} className={isVirtual ? 'log log-virtual' : 'log'} tabIndex={0} aria-label="Run log">
        {log.map(({ tS, text }, index) => (
          <li key={index}>
            <span className="log-time">{formatRunTime(tS)}</span> {text}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
