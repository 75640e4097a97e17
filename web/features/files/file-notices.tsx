import type { ReactNode } from 'react';

import { describeFaults } from '../../contract/fault';
import type { RunResult } from '../../contract/run-result';
import type { EngineVersion } from '../../contract/page-readings';
import { describeRun } from '../../session/run-description';
import { CommandButton } from '../../widgets/command-button';
import { useExplorer } from '../../widgets/session-context';

/** Shows the name of the shown file. */
export function OpenedFileNotice() {
  const opened = useExplorer((state) => state.opened);
  const engine = useExplorer((state) => state.result?.engine);
  const ownEngine = useExplorer((state) => state.engine_version);
  const conditions = useExplorer((state) =>
    state.opened === null || state.spec === null ? null : describeRun(state.spec, state).conditions,
  );
  const hasMarks = useExplorer((state) => state.marks.length > 0);
  const isVirtual = useExplorer((state) => state.spec?.platform === 'virtual');
  if (opened === null || engine === undefined) return null;
  return (
    <section className="notice notice-calm row notice-file" aria-label="Opened from a file">
      <p>
        <strong>
          Opened from <span className="file-name">{opened.name}</span>.
        </strong>{' '}
        Engine {engine.version}
        {engine.build !== undefined && `, ${engine.build}`} · {conditions}.{' '}
        {ownEngine !== null && differs(engine, ownEngine) && (
          <>
            <strong>
              This page has a different engine: {ownEngine.version}
              {engine.build !== undefined && `, ${ownEngine.build}`}.
            </strong>{' '}
            The same run may give other results here.{' '}
          </>
        )}
        The charts show averages per interval{hasMarks && ', with marks from the run spec'}; stacks include
        all threads. A result has no {isVirtual && 'thread lanes, '}thread states over time or blocked stacks.
      </p>
      <CommandButton command="result.close" />
    </section>
  );
}

/** Any build of a modeled server computes the same result, so such a file has no build. */
const differs = ({ version, build }: RunResult['engine'], own: EngineVersion) =>
  version !== own.version || (build !== undefined && build !== own.build);

/** Shows why a file was not opened. `close` is a button that closes the message. */
export function RefusedFileNotice({ close }: { close?: ReactNode }) {
  const refused = useExplorer((state) => state.fileRefused);
  if (refused === null) return null;
  return (
    <div className="notice" role="alert">
      {close}
      <strong>
        <span className="file-name">{refused.name}</span> cannot be opened; the page is unchanged.
      </strong>
      <ul>
        {describeFaults(refused.errors).map((fault, index) => (
          <li key={index}>{fault}</li>
        ))}
      </ul>
    </div>
  );
}
