import { useCombobox } from 'downshift';
import { useEffect, useState } from 'react';

import { loadLatches, openLatch, type FoundLatch } from '../features/imports';
import { isAvailable, reasonAgainst, unlessRefused, type Command } from '../session/command-registry';
import { commandsForQuery, firstUsable, withRecent, type MoreForQuery } from './palette';
import { shortcutOf } from './shortcuts';
import { Keys } from './keys';
import { scenarioInWords } from '../contract/scenario-names';
import type { Session } from '../session/session';
import { useExplorer, useSession } from '../widgets/session-context';
import { useLoaded } from '../widgets/use-loaded';

const changeTypes = useCombobox.stateChangeTypes;

/** The palette lists commands without the latches until they are loaded, or if they cannot be. */
const latchesOf = (session: Session, loaded: ReturnType<typeof useLoaded<Latches>>): MoreForQuery => {
  if (loaded === null || loaded instanceof Error) return () => [];
  return (words) => loaded.latchesFor(words).map((latch) => latchCommand(session, latch));
};

type Latches = Awaited<ReturnType<typeof loadLatches>>;

function latchCommand(session: Session, found: FoundLatch): Command {
  const scenario = session.scenarios.find(({ manifest }) => manifest.id === found.bug?.scenario);
  const modeled = scenario === undefined ? 'not modeled' : scenarioInWords(scenario.manifest);
  return {
    id: `${LATCH}${found.id}`,
    title: `Latch: ${found.name} (${modeled})`,
    execute: () => openLatch(session, found),
  };
}

const LATCH = 'latch.';

/** Finds a command, or a latch, by a few of its letters and runs it. */
export default function CommandPalette() {
  const session = useSession();
  const state = useExplorer((whole) => whole);
  const [query, setQuery] = useState('');
  const loaded = useLoaded(loadLatches, LATCH);
  const more = latchesOf(session, loaded);
  const commands = commandsForQuery(session.commands.all(), state, query, more);
  const choose = (command: Command) => {
    const store = session.store;
    if (!isAvailable(command, store.getState())) return;
    if (command.id.startsWith(LATCH)) {
      store.setState({ dialog: null });
      void unlessRefused(async () => command.execute());
      return;
    }
    store.setState({
      dialog: null,
      recentCommands: withRecent(store.getState().recentCommands, command.id),
    });
    void session.commands.perform(command.id);
  };
  const combobox = useCombobox<Command>({
    items: commands,
    isOpen: true,
    inputValue: query,
    selectedItem: null,
    initialHighlightedIndex: firstUsable(commands, state),
    defaultHighlightedIndex: 0,
    itemToString: (command) => command?.title ?? '',
    itemToKey: (command) => command?.id,
    isItemDisabled: (command) => !isAvailable(command, state),
    onStateChange: ({ type, selectedItem: chosen }) => {
      const isChoice = type === changeTypes.ItemClick || type === changeTypes.InputKeyDownEnter;
      if (isChoice && chosen) choose(chosen);
    },
    // The dialog closes the palette on Escape or when it loses the focus.
    stateReducer: (before, { type, changes }) => {
      if (type === changeTypes.InputBlur || type === changeTypes.InputKeyDownEscape) return before;
      if (type !== changeTypes.InputChange) return changes;
      const hits = commandsForQuery(session.commands.all(), state, changes.inputValue ?? '', more);
      return { ...changes, highlightedIndex: firstUsable(hits, state) };
    },
  });
  const { setHighlightedIndex } = combobox;
  const best = firstUsable(commands, state);
  // The reader may have typed before the latches were there.
  useEffect(() => {
    if (loaded !== null && best >= 0) setHighlightedIndex(best);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- Only when they arrive.
  }, [loaded]);
  return (
    <>
      <label className="visually-hidden" {...combobox.getLabelProps()}>
        Command
      </label>
      <input
        {...combobox.getInputProps({
          className: 'palette-input',
          placeholder: 'Type a command or a latch',
          autoFocus: true,
          spellCheck: false,
          // Escape closes the dialog; the combobox has nothing to close.
          onKeyDown: (event) => {
            if (event.key === 'Escape') Object.assign(event.nativeEvent, { preventDownshiftDefault: true });
          },
          // Bypasses the combobox, so that the cursor keeps its place.
          onChange: (event) => {
            setQuery(event.currentTarget.value);
          },
        })}
      />
      <ul {...combobox.getMenuProps({ className: 'palette-list' })}>
        {commands.map((command, index) => (
          <li
            key={command.id}
            {...combobox.getItemProps({ item: command, index, className: 'palette-item' })}
            data-is-highlighted={index === combobox.highlightedIndex}
          >
            <span>{command.title}</span>
            <Aside command={command} />
          </li>
        ))}
      </ul>
      <p className="palette-count" role="status">
        {commands.length === 0 ? `No command or latch matches “${query}”.` : `${commands.length} commands`}
      </p>
    </>
  );
}

/** Shows the keys of a command, or why it is not available. */
function Aside({ command }: { command: Command }) {
  const state = useExplorer((whole) => whole);
  const whyNot = reasonAgainst(command, state);
  if (whyNot !== null) return <span className="palette-reason">{whyNot}</span>;
  const shortcut = shortcutOf(state, command.id);
  return shortcut === undefined ? null : <Keys shortcut={shortcut} />;
}
