import { formatDuration_ns, formatFigure } from '../../analysis/format';
import { paceCommandId, paces } from '../../session/commands';
import type { ExplorerState } from '../../session/store';
import { CommandButton } from '../../widgets/command-button';
import { useExplorer, useSession } from '../../widgets/session-context';

/** How virtual time passes, what stands for a second of the report, and what a virtual millisecond takes here. */
export function VirtualTimePanel() {
  const session = useSession();
  const pace_ns_per_s = useExplorer((state) => state.pace_ns_per_s);
  const pace = paces.find(({ ns_per_s }) => ns_per_s === pace_ns_per_s) ?? paces[0]!;
  const sample = useExplorer(sampleInWords);
  const speed = useExplorer(speedInWords);
  return (
    <section className="panel virtual-time" aria-label="Virtual time">
      <label className="pace">
        <span>Pace</span>
        <select
          aria-label="Pace of virtual time"
          value={pace.id}
          onChange={({ target }) => {
            void session.commands.perform(paceCommandId(target.value));
          }}
        >
          {paces.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <span className="steps" role="group" aria-label="Step">
        <CommandButton command="run.step_event" className="button-preset" />
        <CommandButton command="run.step" className="button-preset" />
      </span>
      <p className="virtual-time-note">
        {sample} <span data-depends-on-host>{speed}</span>
      </p>
    </section>
  );
}

function sampleInWords({ spec, draft }: ExplorerState): string {
  const interval_s = spec === null ? Number(draft.interval_s ?? 1) : (spec.interval_s ?? 1);
  if (!(interval_s < 1)) return 'A report’s second is shown in full;';
  return `A report’s second is a sample of ${formatFigure(interval_s * 1e3)} virtual ms;`;
}

function speedInWords({ model }: ExplorerState): string {
  if (model === null || model.run_ns === 0 || model.host_ms === 0)
    return 'every run of one spec is the same.';
  return `1 virtual ms takes ${formatDuration_ns((model.host_ms * 1e12) / model.run_ns)} here.`;
}
