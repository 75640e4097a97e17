import { useEffect, useRef, useState } from 'react';

import { counted } from '../../analysis/format';
import type { LabError } from '../../analysis/latch-language/lab-error';
import { CodeEditor } from '../../widgets/code-editor';
import { sentenceOf } from '../../widgets/code-language';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { useWorkload } from './workload';
import { sourceShown } from './workload-editing';
import { workloadLanguage } from './workload-language-support';

/** Edits the source of a workload, and lists its errors. */
export function EditorPanel() {
  const [editor, setEditor] = useState<CodeEditor | null>(null);
  return (
    <Panel
      title="Source"
      className="workload-source"
      note={
        <span className="row workload-buttons">
          <CommandButton command="workload.open" className="button-small">
            Open…
          </CommandButton>
          <CommandButton command="workload.save" className="button-small">
            Save
          </CommandButton>
          <CommandButton command="workload.run" className="button-main">
            Run
          </CommandButton>
        </span>
      }
    >
      <Editor editor={editor} onEditor={setEditor} />
      <Errors editor={editor} />
    </Panel>
  );
}

interface EditorProps {
  /** null until it is created. */
  editor: CodeEditor | null;
}

function Editor({ editor, onEditor }: EditorProps & { onEditor: (editor: CodeEditor | null) => void }) {
  const editing = useWorkload();
  const host = useRef<HTMLDivElement>(null);
  const source = useExplorer(({ workload }) => sourceShown(workload));
  useEffect(() => {
    const created = new CodeEditor(host.current!, {
      source: sourceShown(editing.workload),
      label: 'Workload source',
      language: workloadLanguage(editing),
      wraps: true,
      onEdit: (written) => editing.edit(written),
    });
    onEditor(created);
    return () => {
      onEditor(null);
      created.destroy();
    };
  }, [editing, onEditor]);
  useEffect(() => {
    editor?.show(source);
  }, [editor, source]);
  return <div ref={host} className="workload-code" />;
}

const errorsInWords = (count: number) => (count === 0 ? 'No errors' : counted(count, 'error'));

const ERRORS_SHOWN_MAX = 20;

/** Lists the errors of the source. Each leads to its place. */
function Errors({ editor }: EditorProps) {
  const checked = useExplorer(({ workload }) => workload.checked);
  const isRunEarlier = useExplorer(({ workload, scenario }) => {
    const run = scenario.manifest.workload?.source;
    return run !== undefined && run !== sourceShown(workload);
  });
  const isCurrent = useExplorer(({ workload }) => workload.checked?.source === sourceShown(workload));
  const errors = checked?.errors ?? [];
  const more = errors.length - ERRORS_SHOWN_MAX;
  return (
    <div className="workload-errors">
      <p role="status" aria-label="Errors">
        {checked === null ? 'Compiling …' : errorsInWords(errors.length)}
        {isRunEarlier && ' · the run is of another source'}
      </p>
      {errors.length > 0 && (
        <ol aria-label="Errors of the source" aria-busy={!isCurrent}>
          {errors.slice(0, ERRORS_SHOWN_MAX).map((error) => (
            <ErrorLine key={`${error.from} ${error.sentence}`} error={error} editor={editor} />
          ))}
        </ol>
      )}
      {more > 0 && <p>{counted(more, 'more error')}</p>}
    </div>
  );
}

function ErrorLine({ error, editor }: EditorProps & { error: LabError }) {
  const { from, to, line, suggestion } = error;
  return (
    <li>
      <button type="button" className="workload-error" onClick={() => editor?.select(from, to)}>
        <span className="workload-error-line">Line {line}</span> {sentenceOf(error)}
      </button>
      {suggestion !== undefined && (
        <button
          type="button"
          className="button button-small"
          onClick={() => editor?.replace(from, to, suggestion)}
        >
          Write {suggestion}
        </button>
      )}
    </li>
  );
}
