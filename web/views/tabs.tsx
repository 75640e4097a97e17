import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';

export interface Tab {
  id: string;
  title: string;
  content: ReactNode;
}

/** One of several panels at a time; the first one at first. Arrow keys, Home and End choose, as is usual for tabs. */
export function Tabs({ label, tabs }: { label: string; tabs: Tab[] }) {
  const [chosen, choose] = useState(tabs[0]!.id);
  const base_id = useId();
  const strip = useRef<HTMLDivElement>(null);
  const chosen_index = tabs.findIndex(({ id }) => id === chosen);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = tabs[indexAfterKey(event.key, chosen_index, tabs.length)];
    if (next === undefined) return;
    event.preventDefault();
    choose(next.id);
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
              choose(id);
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
