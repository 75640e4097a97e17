import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react';

interface Tab<Id extends string> {
  id: Id;
  title: string;
  content: ReactNode;
}

interface TabsProps<Id extends string> {
  label: string;
  tabs: Tab<Id>[];
  chosen: Id;
  onChoose: (id: Id) => void;
}

/** Shows one of several panels. Arrow keys, Home and End select a tab, as usual. */
export function Tabs<Id extends string>({ label, tabs, chosen, onChoose }: TabsProps<Id>) {
  const baseId = useId();
  const strip = useRef<HTMLDivElement>(null);
  const chosenIndex = tabs.findIndex(({ id }) => id === chosen);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabs[indexAfterKey(event.key, chosenIndex, tabs.length)];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    strip.current?.querySelector<HTMLElement>(`#${CSS.escape(`${baseId}-${next.id}`)}`)?.focus();
  };
  return (
    <>
      <div ref={strip} role="tablist" aria-label={label} className="tabs" onKeyDown={onKeyDown}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            id={`${baseId}-${id}`}
            type="button"
            role="tab"
            className="tab"
            aria-selected={id === chosen}
            aria-controls={`${baseId}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => onChoose(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        key={chosen}
        id={`${baseId}-panel`}
        role="tabpanel"
        className="tab-panel"
        aria-labelledby={`${baseId}-${chosen}`}
        tabIndex={0}
      >
        {tabs[chosenIndex]?.content}
      </div>
    </>
  );
}

function indexAfterKey(key: string, index: number, count: number): number {
  switch (key) {
    case 'ArrowRight':
      return (index + 1) % count;
    case 'ArrowLeft':
      return (index + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return -1;
  }
}
