import { shortcutGroups, type Shortcut } from './shortcuts';
import { CommandButton } from '../widgets/command-button';
import { Keys } from './keys';
import { useExplorer } from '../widgets/session-context';

/** Lists every shortcut, and lets the reader disable those of a single key. */
export default function HelpSheet() {
  const scenario = useExplorer((state) => state.scenario);
  const groups = shortcutGroups({ scenario });
  const areShortcutsOn = useExplorer((state) => state.areShortcutsOn);
  return (
    <>
      <header className="dialog-header">
        <h2>Keys</h2>
        <CommandButton command="dialog.close" />
      </header>
      <div className="help-groups" role="group" aria-label="Shortcuts" tabIndex={0}>
        {groups.map(({ title, shortcuts }) => (
          <section key={title} aria-label={title}>
            <h3>{title}</h3>
            <dl className="shortcuts">
              {shortcuts.map((shortcut) => (
                <ShortcutLine key={shortcut.keys.join(' ')} shortcut={shortcut} />
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="help-setting">
        Single keys are {areShortcutsOn ? 'on' : 'off'}.{' '}
        <CommandButton command={areShortcutsOn ? 'shortcuts.off' : 'shortcuts.on'} /> They are ignored while
        typing.
      </p>
      <p className="help-setting">
        Latchscope and its dependencies:{' '}
        <a href="./THIRD-PARTY-NOTICES.txt" target="_blank" rel="noreferrer">
          licenses
        </a>
      </p>
    </>
  );
}

function ShortcutLine({ shortcut }: { shortcut: Shortcut }) {
  return (
    <>
      <dt>
        <Keys shortcut={shortcut} />
      </dt>
      <dd>{shortcut.title}</dd>
    </>
  );
}
