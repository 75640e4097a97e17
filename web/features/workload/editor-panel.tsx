import { useEffect, useMemo, useRef, useState } from 'react';

import { counted } from '../../analysis/format';
import type { LabError } from '../../analysis/latch-language/lab-error';
import {
  costOfLines,
  linesOfLatches,
  type LineCost,
} from '../../analysis/workload-language/lines-of-latches';
import { CodeEditor } from '../../widgets/code-editor';
import { sentenceOf } from '../../widgets/code-language';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer, useInFrame } from '../../widgets/session-context';
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
      <div className="workload-told">
        <Errors editor={editor} />
        <CostOfLines editor={editor} />
      </div>
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

const none: ReadonlyMap<number, LineCost> = new Map();

/** Returns the figure that is shown, so that equal figures count as equal. */
const percentOf = ({ text }: LineCost) => Number.parseFloat(text);

/** Shows beside each line what its latches cost in the run, as long as this source is the running source. */
function CostOfLines({ editor }: EditorProps) {
  const program = useExplorer(({ workload, scenario }) => {
    const run = scenario.manifest.workload;
    return run?.source === sourceShown(workload) ? run.program : undefined;
  });
  const rows = useInFrame((state) => state.live?.latch_rows);
  const taken = useMemo(() => program && linesOfLatches(program), [program]);
  const costs = useMemo(() => (taken && rows ? costOfLines(taken, rows) : none), [taken, rows]);
  useEffect(() => {
    editor?.showFigures(costs);
  }, [editor, costs]);
  const [line] = [...costs].reduce<readonly [number, number]>(
    (most, [place, cost]) => (percentOf(cost) > most[1] ? [place, percentOf(cost)] : most),
    [0, 0],
  );
  if (costs.size === 0) return null;
  return (
    <p>
      Beside a line: what its latches cost, as a share of the clients’ time
      {line > 0 && (
        <>
          {' · '}
          <button type="button" className="link-button" onClick={() => editor?.showLine(line)}>
            most: line {line}
          </button>
        </>
      )}
    </p>
  );
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
    <>
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
    </>
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
