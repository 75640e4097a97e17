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
  const base_id = useId();
  const strip = useRef<HTMLDivElement>(null);
  const chosen_index = tabs.findIndex(({ id }) => id === chosen);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabs[indexAfterKey(event.key, chosen_index, tabs.length)];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(next.id);
    strip.current?.querySelector<HTMLElement>(`#${CSS.escape(`${base_id}-${next.id}`)}`)?.focus();
  };
  return (
    <>
      <div ref={strip} role="tablist" aria-label={label} className="tabs" onKeyDown={onKeyDown}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            id={`${base_id}-${id}`}
            type="button"
            role="tab"
            className="tab"
            aria-selected={id === chosen}
            aria-controls={`${base_id}-panel`}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => {
              onChoose(id);
            }}
          >
            {title}
          </button>
        ))}
      </div>
      <div
        key={chosen}
        id={`${base_id}-panel`}
        role="tabpanel"
        className="tab-panel"
        aria-labelledby={`${base_id}-${chosen}`}
        tabIndex={0}
      >
        {tabs[chosen_index]?.content}
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
