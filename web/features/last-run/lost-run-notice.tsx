import { counted } from '../../analysis/format';
import type { EngineVersion } from '../../contract/page-readings';
import { CommandButton, IconButton } from '../../widgets/command-button';
import { useExplorer } from '../../widgets/session-context';
import type { KeptRun } from '../../contract/kept-run';

/** Offers the run that a reload has ended. */
export function LostRunNotice() {
  const lost = useExplorer((state) => state.lostRun);
  const scenarios = useExplorer((state) => state.scenarios);
  const ownEngine = useExplorer((state) => state.engine_version);
  if (lost === null) return null;
  const of = scenarios.find(({ manifest }) => manifest.id === lost.spec.scenario)?.manifest;
  return (
    <section className="notice notice-calm row notice-row" aria-label="Last run">
      <p>
        <strong>{whatWasLost(lost, of ?? {})}</strong> {whatComesBack(lost, ownEngine)}
      </p>
      <span className="notice-buttons">
        {lost.result !== null && <CommandButton command="last_run.open">Open result</CommandButton>}
        <CommandButton command="last_run.again">Run again</CommandButton>
        <IconButton command="last_run.dismiss" sign="✕" label="Close note" />
      </span>
    </section>
  );
}

const whatWasLost = ({ file }: KeptRun, { bug }: { bug?: number }) =>
  file === null
    ? `The page reload ended your run of ${bug === undefined ? 'a workload' : `#${bug}`}.`
    : `The page reload closed ${file}.`;

/** `own` is the version of this page's engine; null while none is loaded. */
function whatComesBack(lost: KeptRun, own: EngineVersion | null): string {
  const { spec, result, was_over } = lost;
  const kept = !was_over
    ? ''
    : result === null
      ? 'Its result was too large to store. '
      : 'Its result is stored. ';
  const count = spec.actions?.length ?? 0;
  const actions = count === 0 ? '' : `, with ${counted(count, 'action')}`;
  if (spec.platform === 'threads')
    return `${kept}Run again repeats its spec on real threads${actions}; numbers will differ.`;
  const repeats: Record<Likeness, string> = {
    same: `repeats it exactly on the virtual server${actions}.`,
    other: `repeats it on another engine${actions}; numbers may differ.`,
    unknown: `repeats it on the virtual server${actions}.`,
  };
  return `${kept}Run again ${repeats[likenessOf(lost, own)]}`;
}

type Likeness = 'same' | 'other' | 'unknown';

/** Compares this page's engine with the run's. A result of the virtual server has no build. */
function likenessOf({ engine, spec }: KeptRun, own: EngineVersion | null): Likeness {
  if (engine === null || own?.platform !== spec.platform) return 'unknown';
  return [own.version, `${own.version} ${own.build}`].includes(engine) ? 'same' : 'other';
}
