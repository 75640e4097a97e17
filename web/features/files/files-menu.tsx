import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';

import { exportCommandId } from './file-commands';
import { export_formats } from './export-formats';
import { useExplorer, useSession } from '../../widgets/session-context';

interface Item {
  command: string;
  /** A remark, such as the programs that read the file. */
  remark: string;
}

const groups: { title: string; items: Item[] }[] = [
  {
    title: 'Open',
    items: [
      { command: 'result.open', remark: 'or drop a file on the page' },
      { command: 'result.close', remark: 'and show the next run' },
      { command: 'measured.open', remark: 'from npm run real-servers; or drop it' },
    ],
  },
  ...[...new Set(export_formats.map(({ group }) => group))].map((title) => ({
    title: `Save: ${title.toLowerCase()}`,
    items: export_formats
      .filter(({ group }) => group === title)
      .map(({ id, readers }) => ({ command: exportCommandId(id), remark: readers })),
  })),
];

/** Exports this run and opens files. Follows the menu button pattern of WAI-ARIA. */
export function FilesMenu() {
  const [is_open, setOpen] = useState(false);
  const base_id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useClosedFromOutside(root, is_open, () => {
    setOpen(false);
  });
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div ref={root} className="files">
      <button
        ref={button}
        id={`${base_id}-button`}
        type="button"
        className="button"
        aria-haspopup="menu"
        aria-expanded={is_open}
        aria-controls={`${base_id}-menu`}
        onClick={() => {
          setOpen(!is_open);
        }}
        onKeyDown={({ key }) => {
          if (key === 'ArrowDown') setOpen(true);
        }}
      >
        Files <span aria-hidden="true">▾</span>
      </button>
      {is_open && <Menu id={`${base_id}-menu`} labelled_by={`${base_id}-button`} close={close} />}
    </div>
  );
}

function Menu({ id, labelled_by, close }: { id: string; labelled_by: string; close: () => void }) {
  const menu = useRef<HTMLDivElement>(null);
  useEffect(() => {
    itemsOf(menu.current)[0]?.focus();
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') close();
    const items = itemsOf(menu.current);
    const next = itemAfterKey(event.key, items, document.activeElement);
    if (event.key === 'Escape' || next !== undefined) event.preventDefault();
    next?.focus();
  };
  return (
    <div
      ref={menu}
      id={id}
      role="menu"
      tabIndex={-1}
      aria-labelledby={labelled_by}
      className="files-menu"
      onKeyDown={onKeyDown}
    >
      {groups.map(({ title, items }) => (
        <div key={title} role="group" aria-label={title}>
          <p className="files-menu-group" aria-hidden="true">
            {title}
          </p>
          {items.map((item) => (
            <MenuItem key={item.command} {...item} onChosen={close} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** A disabled entry keeps its place and shows the reason. */
function MenuItem({ command: id, remark, onChosen }: Item & { onChosen: () => void }) {
  const { commands } = useSession();
  const title = useExplorer(() => commands.find(id).title);
  const is_enabled = useExplorer(() => commands.isEnabled(id));
  const why_not = useExplorer((state) => {
    const format = export_formats.find((known) => exportCommandId(known.id) === id);
    return format?.whyNot(state) ?? null;
  });
  const item_id = useId();
  return (
    <button
      type="button"
      role="menuitem"
      className="files-menu-item"
      tabIndex={-1}
      aria-disabled={!is_enabled}
      aria-labelledby={`${item_id}-title`}
      aria-describedby={`${item_id}-remark`}
      onClick={() => {
        if (!is_enabled) return;
        onChosen();
        void commands.perform(id);
      }}
    >
      <span id={`${item_id}-title`}>{title}</span>
      <span id={`${item_id}-remark`} className="files-menu-remark">
        {why_not ?? remark}
      </span>
    </button>
  );
}

const itemsOf = (menu: HTMLElement | null) => [
  ...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
];

/** Handles arrow keys, Home, End, and the first letter of a title, as usual for menus. */
function itemAfterKey(key: string, items: HTMLElement[], focused: Element | null): HTMLElement | undefined {
  const index = items.findIndex((item) => item === focused);
  switch (key) {
    case 'ArrowDown':
      return items[(index + 1) % items.length];
    case 'ArrowUp':
      return items.at(index <= 0 ? -1 : index - 1);
    case 'Home':
      return items[0];
    case 'End':
      return items.at(-1);
    default: {
      if (key.length !== 1 || key === ' ') return undefined;
      const from_next = [...items.slice(index + 1), ...items.slice(0, index + 1)];
      return from_next.find((item) => item.textContent.toLowerCase().startsWith(key.toLowerCase()));
    }
  }
}

function useClosedFromOutside(root: RefObject<HTMLElement | null>, is_open: boolean, close: () => void) {
  useEffect(() => {
    if (!is_open) return undefined;
    const onPointerDown = ({ target }: PointerEvent) => {
      if (!root.current?.contains(target as Node)) close();
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown);
    };
  });
}
