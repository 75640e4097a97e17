import { useEffect, useRef } from 'react';

import { formatSeconds } from '../analysis/format';
import { Panel } from './panel';
import { useExplorer } from './session-context';

export function LogPanel() {
  const log = useExplorer((state) => state.log);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
  }, [log]);
  return (
    <Panel title="Log" note="run time" className="log-panel">
      <ol ref={list} className="log" tabIndex={0} aria-label="Log of this run">
        {log.map(({ t_s, text }, index) => (
          <li key={index}>
            <span className="log-time">{formatSeconds(t_s)}</span> {text}
          </li>
        ))}
      </ol>
    </Panel>
  );
}
