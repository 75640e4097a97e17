import { formatDurationNs, formatFigure } from '../analysis/format';
import { INTERVAL_DEFAULT_S } from '../contract/run-spec';
import { paceCommandId, paces } from '../session/commands';
import type { ExplorerState } from '../session/store';
import { Options } from './choice';
import { CommandButton } from './command-button';
import { useExplorer, useInFrame, usePerform } from './session-context';

/** Controls the pace of virtual time, and single steps. */
export function VirtualTimeControls() {
  const perform = usePerform();
  const paceNsPerS = useExplorer((state) => state.paceNsPerS);
  const pace = paces.find(({ nsPerS }) => nsPerS === paceNsPerS) ?? paces[0]!;
  return (
    <span className="virtual-time">
      <select
        aria-label="Pace of virtual time"
        value={pace.id}
        onChange={({ target }) => perform(paceCommandId(target.value))}
      >
        <Options of={paces} />
      </select>
      <span className="steps" role="group" aria-label="Step">
        <CommandButton command="run.step_event" className="button-small" />
        <CommandButton command="run.step" className="button-small" />
      </span>
    </span>
  );
}

/**
 * Shows which time represents a second of the report, and how fast the model runs on this machine.
 */
export function VirtualTimeNote() {
  const sample = useExplorer(sampleInWords);
  const speed = useInFrame(speedInWords);
  return (
    <p className="virtual-time-note">
      {sample} <span data-depends-on-host>{speed}</span>
    </p>
  );
}

function sampleInWords({ spec, draft }: ExplorerState): string {
  const intervalS =
    spec === null ? Number(draft.interval_s ?? INTERVAL_DEFAULT_S) : (spec.interval_s ?? INTERVAL_DEFAULT_S);
  if (!(intervalS < 1)) return 'One second of virtual time represents one second of the report.';
  return `${formatFigure(intervalS * 1e3)} ms of virtual time represent one second of the report.`;
}

function speedInWords({ model }: ExplorerState): string {
  if (model === null || model.run_ns === 0 || model.host_ms === 0)
    return 'A run spec always gives the same run.';
  return `This machine computes 1 virtual ms in ${formatDurationNs((model.host_ms * 1e12) / model.run_ns)}.`;
}
