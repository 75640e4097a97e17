import { presetOf } from '../../contract/design';
import { actionCommandId, designCommandId, mainRunCommandId } from '../../session/commands';
import { CommandButton } from '../../widgets/command-button';
import { useExplorer } from '../../widgets/session-context';
import { useIsPhone } from '../../widgets/use-is-phone';

const designs = [
  ['original', 'Original'],
  ['fixed', 'Fixed'],
] as const;

/**
 * Keeps the controls that change the run at the lower edge of a phone, within reach of a thumb.
 * They are the run, the report's first step, and the two designs.
 */
export function ThumbBar() {
  const isPhone = useIsPhone();
  return isPhone && <Controls />;
}

function Controls() {
  const mainRun = useExplorer(mainRunCommandId);
  const action = useExplorer(({ scenario }) => scenario.manifest.actions[0]);
  const canFire = useExplorer(({ run_state }) => run_state === 'running' || run_state === 'paused');
  const preset = useExplorer(({ scenario, draft }) => presetOf(scenario.manifest, draft.design));
  const hasFixed = useExplorer(({ scenario }) => 'fixed' in scenario.manifest.designs);
  return (
    <div className="thumb-bar" role="group" aria-label="Run">
      {canFire && action !== undefined && (
        <CommandButton command={actionCommandId(action.id)} className="thumb-action" />
      )}
      <CommandButton command={mainRun} className="button-main" />
      <CommandButton command="run.stop" />
      {hasFixed && (
        <div className="thumb-designs" role="group" aria-label="Original or fixed design">
          {designs.map(([id, title]) => (
            <CommandButton key={id} command={designCommandId(id)} pressed={preset === id}>
              {title}
            </CommandButton>
          ))}
        </div>
      )}
    </div>
  );
}
