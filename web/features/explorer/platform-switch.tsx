import { counted } from '../../analysis/format';
import { all_platforms, type Platform } from '../../contract/platforms';
import { platformCommandId } from '../../session/commands';
import { shownPlatform, type ExplorerState } from '../../session/store';
import { useExplorer, usePerform } from '../../widgets/session-context';

const titles: Record<Platform, string> = { threads: 'This machine', virtual: 'Virtual server' };

/**
 * Switches between real threads and the modeled server, which has a panel of its own. An
 * unavailable platform shows the reason.
 */
export function PlatformSwitch() {
  const perform = usePerform();
  const shown = useExplorer(shownPlatform);
  const missing = useExplorer((state) => state.missing);
  const detail = useExplorer(detailOf);
  return (
    <fieldset className="platform-switch">
      <legend className="visually-hidden">Platform</legend>
      {all_platforms.map((platform) => {
        const reason = missing[platform].map(({ explanation }) => explanation).join(' ');
        return (
          <label key={platform} title={reason === '' ? explanations[platform] : reason}>
            <input
              type="radio"
              name="platform"
              value={platform}
              checked={shown === platform}
              disabled={reason !== ''}
              aria-description={reason === '' ? undefined : reason}
              onChange={() => perform(platformCommandId(platform))}
            />
            <span>{titles[platform]}</span>
          </label>
        );
      })}
      <span className="platform-detail">{detail}</span>
    </fieldset>
  );
}

const explanations: Record<Platform, string> = {
  threads: 'Real threads on this machine',
  virtual: 'Deterministic model of a many-core server',
};

function detailOf(state: ExplorerState): string {
  const { cores } = state.machine;
  if (shownPlatform(state) === 'virtual') return '';
  return counted(cores, 'core');
}
