import { useState } from 'react';

import { counted, formatVirtualTime } from '../../analysis/format';
import type { RunSpec } from '../../contract/run-spec';
import { unlessRefused } from '../../session/command-registry';
import type { Field } from '../../contract/draft';
import { seedsRange } from '../../session/series-settings';
import { BatchProgressBar } from '../../widgets/batch-progress';
import { Options } from '../../widgets/choice';
import { CommandButton } from '../../widgets/command-button';
import { GlossaryLink } from '../../widgets/glossary-link';
import { NumberField } from '../../widgets/number-field';
import { useExplorer, useModel } from '../../widgets/session-context';
import { comparisonFaults } from './forks';
import { BranchDiffView } from './branch-diff-view';
import {
  branchOf,
  inOrder,
  notCarriedOut,
  type Branch,
  type BranchInTree,
  isBranchName,
  NAME_IN_WORDS,
} from './branch-tree';
import { isUnderWay, type Comparison } from './forks-state';
import type { ExplorerState } from '../../session/store';
import './forks.css';

/** Shows all branches of the run as a tree, and where two of them diverge. */
export default function BranchesPanel() {
  const tree = useExplorer((state) => state.forks.branchTree);
  const comparison = useExplorer((state) => state.forks.comparison);
  return (
    <div className="branches">
      <p className="muted">
        Go back in the run and change something to start a new{' '}
        <GlossaryLink term="branch">branch</GlossaryLink>. The earlier branch is listed here; the page link
        includes all branches.
      </p>
      <ul className="branch-list" aria-label="Branches">
        {inOrder(tree).map((each) => (
          <BranchRow key={each.branch.id} {...each} />
        ))}
      </ul>
      <CarryOut />
      {tree.branches.length > 1 && <CompareForm branches={tree.branches} />}
      {comparison !== null && <ComparisonView comparison={comparison} />}
    </div>
  );
}

function BranchRow({ branch, depth }: BranchInTree) {
  const { id, name, parent, atS, spec } = branch;
  const isShown = useExplorer((state) => state.forks.branchTree.current === id);
  const left = useExplorer((state) => branchOf(state.forks.branchTree, parent)?.name ?? null);
  const origin = left === null ? 'from the start' : `from “${left}” at ${formatVirtualTime(atS)}`;
  return (
    <li style={{ marginInlineStart: `${depth * 1.4}rem` }} data-is-shown={isShown}>
      <NameField key={name} id={id} name={name} />
      <span className="branch-origin">
        {origin}; {howMuchIsDone(spec)}
        {isShown && <strong> · shown</strong>}
      </span>
      <span className="branch-buttons">
        <CommandButton
          command={`forks.show.${id}`}
          className="button-small"
          title="Replay this branch from the start"
        >
          Replay
        </CommandButton>
        <CommandButton
          command={`forks.behind.${id}`}
          className="button-small"
          title="Draw this branch as a pale line; replays it first if needed"
        >
          Overlay
        </CommandButton>
      </span>
    </li>
  );
}

/** A tree from a link has no chart data at first. */
function CarryOut() {
  const progress = useExplorer((state) => state.forks.replay);
  const toCome = useExplorer((state) => notCarriedOut(state.forks.branchTree).length);
  const failed = useExplorer((state) => state.forks.notReplayed);
  return (
    <>
      {progress === null && toCome > 0 && (
        <p>
          {toCome === 1 ? 'One branch has' : `${toCome} branches have`} not run in this page yet.{' '}
          <CommandButton command="forks.carry_out" className="button-small">
            Replay all
          </CommandButton>
        </p>
      )}
      {progress !== null && (
        <div className="branch-progress">
          <BatchProgressBar progress={progress} inWords={({ name }) => `“${name}”`} />
          <CommandButton command="forks.carry_out.cancel" className="button-small">
            Cancel
          </CommandButton>
        </div>
      )}
      {failed.length > 0 && <p role="alert">Could not replay: {failed.join('; ')}</p>}
    </>
  );
}

function howMuchIsDone({ actions, what_if }: RunSpec): string {
  const things = actions.length + (what_if?.from_s === undefined ? 0 : 1);
  return things === 0 ? 'no changes' : counted(things, 'change');
}

function NameField({ id, name }: { id: number; name: string }) {
  const forks = useModel('forks');
  const [text, setText] = useState(name);
  const isGood = isBranchName(text);
  return (
    <span className="branch-name">
      <input
        type="text"
        aria-label={`Name of branch “${name}”`}
        aria-invalid={!isGood}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={() => {
          if (isGood) forks.rename(id, text);
          else setText(name);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
      />
      {!isGood && <span className="hint hint-error">A name has {NAME_IN_WORDS}.</span>}
    </span>
  );
}

function CompareForm({ branches }: { branches: readonly Branch[] }) {
  const forks = useModel('forks');
  const current = useExplorer((state) => state.forks.branchTree.current);
  const shown = branches.find(({ id }) => id === current) ?? branches.at(-1)!;
  const [a, setA] = useState(shown.parent ?? branches[0]!.id);
  const [b, setB] = useState(shown.parent === null ? branches.at(-1)!.id : shown.id);
  const [seeds, setSeeds] = useState<Field>(1);
  const faults = comparisonFaults(shown.spec, seeds);
  return (
    <form
      className="branch-compare"
      onSubmit={(event) => {
        event.preventDefault();
        if (faults.length > 0) return;
        void unlessRefused(async () => {
          await forks.compare(a, b, seeds as number);
        }).catch(() => undefined); // The comparison shows the reason.
      }}
    >
      <BranchChoice title="A" branches={branches} id={a} onChange={setA} />
      <BranchChoice title="B" branches={branches} id={b} onChange={setB} />
      <NumberField
        field="seeds"
        title="Seeds"
        unit=""
        range={seedsRange}
        value={seeds}
        explanation="With several seeds, each branch runs once per seed and results have 95 % intervals."
        faults={faults}
        onChange={setSeeds}
      />
      <button type="submit" className="button" aria-disabled={a === b || faults.length > 0}>
        Compare branches
      </button>
    </form>
  );
}

interface BranchChoiceProps {
  title: string;
  branches: readonly Branch[];
  id: number;
  onChange: (id: number) => void;
}

function BranchChoice({ title, branches, id, onChange }: BranchChoiceProps) {
  return (
    <label>
      {title}{' '}
      <select
        aria-label={`Branch ${title}`}
        value={id}
        onChange={({ target }) => onChange(Number(target.value))}
      >
        <Options of={branches.map((branch) => ({ id: String(branch.id), title: branch.name }))} />
      </select>
    </label>
  );
}

function ComparisonView({ comparison }: { comparison: Comparison }) {
  const { a, b, diff, failed } = comparison;
  const nameOf = (id: number) => (state: ExplorerState) => branchOf(state.forks.branchTree, id)?.name ?? '';
  const names = { a: useExplorer(nameOf(a)), b: useExplorer(nameOf(b)) };
  return (
    <section aria-label="Branch comparison">
      <p role="status">
        {failed !== null && `The branches could not be compared: ${failed}`}
        {isUnderWay(comparison) && howFar(comparison)}
        {diff !== null && `A: ${names.a} · B: ${names.b}`}
      </p>
      {isUnderWay(comparison) && <ComparisonProgress comparison={comparison} />}
      {diff !== null && <BranchDiffView diff={diff} />}
    </section>
  );
}

function howFar({ seeds, progress: { seedsDone, pass } }: Comparison): string {
  if (seeds === 1) return `Replaying both, pass ${pass} …`;
  return `Replaying both with ${seeds} seeds: ${seedsDone} done …`;
}

function ComparisonProgress({ comparison: { seeds, progress } }: { comparison: Comparison }) {
  return (
    <div className="branch-progress">
      {seeds > 1 && (
        <progress
          value={progress.seedsDone}
          max={seeds}
          aria-label={`${progress.seedsDone} of ${seeds} seeds done`}
        />
      )}
      <CommandButton command="forks.cancel" className="button-small">
        Cancel
      </CommandButton>
    </div>
  );
}
