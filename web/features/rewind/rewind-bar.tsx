import { useEffect, useRef, useState, type ReactNode } from 'react';

import { formatVirtualTime, formatWhole } from '../../analysis/format';
import type { PastReadings } from '../../contract/page-readings';
import type { ExplorerState } from '../../session/store';
import { unlessRefused } from '../../session/command-registry';
import { CommandButton } from '../../widgets/command-button';
import { useInFrame, useSession } from '../../widgets/session-context';
import { pastOf, whyNoMoments } from './rewind';
import './rewind.css';

const MIB = 2 ** 20;

/**
 * Shows the present moment of the run, and moves the run to another one. `branches` opens its
 * branches.
 */
export function RewindBar({ branches }: { branches?: ReactNode }) {
  return (
    <div className="row rewind" role="group" aria-label="Rewind">
      <span className="rewind-buttons">
        <CommandButton command="rewind.start" className="button-small" title="Go to the start of the run">
          Start
        </CommandButton>
        <CommandButton command="rewind.mark" className="button-small" title="Go back to the last mark">
          Mark
        </CommandButton>
        <CommandButton command="rewind.step" className="button-small" title="Back 10 µs">
          −10 µs
        </CommandButton>
        <CommandButton command="rewind.event" className="button-small" title="Back 1 event">
          −1 event
        </CommandButton>
      </span>
      <MomentSlider />
      <CommandButton command="rewind.newest" className="button-small" title="Go to the latest time">
        Latest
      </CommandButton>
      {branches}
      <MomentNote />
    </div>
  );
}

function MomentSlider() {
  const session = useSession();
  const furthestNs = useInFrame((state) => pastOf(state)?.furthest_run_ns ?? 0);
  const runNs = useInFrame(({ model }) => model?.run_ns ?? 0);
  // The reader's position, until the run is there.
  const [wantedNs, setWanted] = useState<number | null>(null);
  const moves = useRef(0);
  const input = useRef<HTMLInputElement>(null);
  const shownNs = Math.min(wantedNs ?? runNs, furthestNs);
  useEffect(() => {
    // The browser's change event, which React does not expose: the slider was released, or a key
    // has moved it.
    const onLetGo = ({ target }: Event) => {
      const move = moves.current;
      const go = () => session.goTo({ run_ns: Number((target as HTMLInputElement).value) });
      void unlessRefused(go).finally(() => {
        if (move === moves.current) setWanted(null);
      });
    };
    const element = input.current!;
    element.addEventListener('change', onLetGo);
    return () => element.removeEventListener('change', onLetGo);
  }, [session]);
  return (
    <input
      ref={input}
      type="range"
      className="rewind-slider"
      aria-label="Position in the run"
      aria-valuetext={formatVirtualTime(shownNs / 1e9)}
      title="Drag to go to another time"
      min={0}
      max={Math.max(furthestNs, 1)}
      step="any"
      value={shownNs}
      disabled={furthestNs === 0}
      onChange={({ target }) => {
        moves.current += 1;
        setWanted(Number(target.value));
      }}
    />
  );
}

function MomentNote() {
  const text = useInFrame(momentInWords);
  const memory = useInFrame(memoryInWords);
  return (
    <span className="rewind-note">
      <span role="status" aria-label="Run time">
        {text}
      </span>
      <span data-depends-on-host>{memory}</span>
    </span>
  );
}

function momentInWords(state: ExplorerState): string {
  const why = whyNoMoments(state);
  if (why !== null) return why;
  const past = pastOf(state);
  const { model, run_state } = state;
  if (past === null || model === null) return 'Run, then go back to any time.';
  if (past.part_done !== null) return `Going back: ${Math.round(past.part_done * 100)} %`;
  if (run_state === 'running') return 'Drag to go back to any time.';
  const ofRun =
    past.furthest_run_ns > model.run_ns ? ` of ${formatVirtualTime(past.furthest_run_ns / 1e9)}` : '';
  return `At ${formatVirtualTime(model.run_ns / 1e9)}${ofRun}, event ${formatWhole(model.events)}`;
}

function memoryInWords(state: ExplorerState): string {
  const past: PastReadings | null = pastOf(state);
  if (past === null) return '';
  const { keyframes, bytes, budget_bytes } = past;
  return `${keyframes} ${keyframes === 1 ? 'checkpoint' : 'checkpoints'}, ${Math.ceil(bytes / MIB)} of ${Math.round(budget_bytes / MIB)} MiB`;
}
