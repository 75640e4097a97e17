import { useEffect, useRef } from 'react';

import { all_lab_exercises } from '../../contract/all-lab-exercises';
import { Choice, Options } from '../../widgets/choice';
import { CodeEditor } from '../../widgets/code-editor';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { useLab } from './lab';
import { sourceShown } from './lab-work';
import { latchLanguage } from './latch-language-support';
import { latchGroups } from './latches';
import type { ExplorerState } from '../../session/store';

/** Edits the source of the latch, and selects the latch or exercise to start with. */
export function EditorPanel() {
  return (
    <Panel
      title="Latch"
      className="lab-source"
      note={
        <span className="row lab-buttons">
          <CommandButton command="lab.save_answers">Save answers</CommandButton>
          <CommandButton command="lab.reset">Start over</CommandButton>
        </span>
      }
    >
      <LatchChoice />
      <Editor />
    </Panel>
  );
}

/** Prefix of exercises in the values of the list. */
const EXERCISE = 'exercise:';

function LatchChoice() {
  const lab = useLab();
  const chosen = useExplorer(({ lab: { exercise, latch } }: ExplorerState) =>
    exercise === null ? latch : EXERCISE + exercise,
  );
  const solved = useExplorer((state) => state.lab.solved);
  return (
    <Choice
      title="Start from"
      value={chosen}
      onChange={(value) => {
        if (value.startsWith(EXERCISE)) lab.openExercise(value.slice(EXERCISE.length));
        else lab.open(value);
      }}
    >
      <optgroup label="Exercises">
        <Options
          of={all_lab_exercises.map(({ id, title }) => ({
            id: EXERCISE + id,
            title: `${Number.parseInt(id, 10)}. ${title}${solved[id] === undefined ? '' : ' ✓'}`,
          }))}
        />
      </optgroup>
      {latchGroups.map(({ title, latches }) => (
        <optgroup key={title} label={title}>
          <Options of={latches.map((id) => ({ id, title: id.slice(id.indexOf('/') + 1) }))} />
        </optgroup>
      ))}
    </Choice>
  );
}

function Editor() {
  const lab = useLab();
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | null>(null);
  const source = useExplorer((state) => sourceShown(state.lab));
  const line = useExplorer(({ lab: { check } }: ExplorerState) =>
    check?.source === source ? (check.walk[check.step]?.line ?? null) : null,
  );
  useEffect(() => {
    const created = new CodeEditor(host.current!, {
      source: sourceShown(lab.lab),
      label: 'Latch source',
      language: latchLanguage,
      onEdit: (written) => lab.edit(written),
    });
    editor.current = created;
    return () => {
      editor.current = null;
      created.destroy();
    };
  }, [lab]);
  useEffect(() => {
    editor.current?.show(source);
  }, [source]);
  useEffect(() => {
    editor.current?.showLine(line);
  }, [line, source]);
  return <div ref={host} className="lab-code" />;
}
