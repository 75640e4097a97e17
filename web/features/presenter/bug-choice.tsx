import { useEffect, useRef, type KeyboardEvent } from 'react';

import { scenarioLabel } from '../../contract/scenario-names';
import { useExplorer, useModel, useSession } from '../../widgets/session-context';
import './bug-choice.css';

/** Asks which bug to present. Arrow keys and numbers choose one. */
export default function BugChoice() {
  const { store } = useSession();
  const presenter = useModel('presenter');
  const scenarios = useExplorer((state) => state.scenarios).filter(({ lesson }) => lesson !== null);
  const list = useRef<HTMLOListElement>(null);
  const buttons = () => [...(list.current?.querySelectorAll('button') ?? [])];
  useEffect(() => {
    buttons()[0]?.focus();
  }, []);
  const present = (id: string) => {
    store.setState({ dialog: null });
    void presenter.present(id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const numbered = scenarios[Number(event.key) - 1];
    const move = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (numbered === undefined && move === undefined) return;
    event.preventDefault();
    if (numbered !== undefined) {
      present(numbered.manifest.id);
      return;
    }
    const all = buttons();
    const at = all.findIndex((button) => button === document.activeElement);
    all[(at + move! + all.length) % all.length]?.focus();
  };
  return (
    <ol ref={list} className="bug-choices" onKeyDown={onKeyDown}>
      {scenarios.map(({ manifest }, place) => (
        <li key={manifest.id}>
          <button type="button" onClick={() => present(manifest.id)}>
            <kbd>{place + 1}</kbd>
            <span>
              <strong>{manifest.title}</strong> <span className="muted">{scenarioLabel(manifest)}</span>
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
