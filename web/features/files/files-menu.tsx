import { useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react';

import { exportCommandId } from './file-commands';
import { exportFormats } from './export-formats';
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
  ...[...new Set(exportFormats.map(({ group }) => group))].map((title) => ({
    title: `Save: ${title.toLowerCase()}`,
    items: exportFormats
      .filter(({ group }) => group === title)
      .map(({ id, readers }) => ({ command: exportCommandId(id), remark: readers })),
  })),
];

/** Exports this run and opens files. Follows the menu button pattern of WAI-ARIA. */
export function FilesMenu() {
  const [isOpen, setOpen] = useState(false);
  const baseId = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useClosedFromOutside(root, isOpen, () => setOpen(false));
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <div ref={root} className="files">
      <button
        ref={button}
        id={`${baseId}-button`}
        type="button"
        className="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={`${baseId}-menu`}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={({ key }) => {
          if (key === 'ArrowDown') setOpen(true);
        }}
      >
        Files <span aria-hidden="true">▾</span>
      </button>
      {isOpen && <Menu id={`${baseId}-menu`} labelledBy={`${baseId}-button`} close={close} />}
    </div>
  );
}

function Menu({ id, labelledBy, close }: { id: string; labelledBy: string; close: () => void }) {
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
      aria-labelledby={labelledBy}
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
  const isEnabled = useExplorer(() => commands.isEnabled(id));
  const whyNot = useExplorer((state) => {
    const format = exportFormats.find((known) => exportCommandId(known.id) === id);
    return format?.whyNot(state) ?? null;
  });
  const itemId = useId();
  return (
    <button
      type="button"
      role="menuitem"
      className="files-menu-item"
      tabIndex={-1}
      aria-disabled={!isEnabled}
      aria-labelledby={`${itemId}-title`}
      aria-describedby={`${itemId}-remark`}
      onClick={() => {
        if (!isEnabled) return;
        onChosen();
        void commands.perform(id);
      }}
    >
      <span id={`${itemId}-title`}>{title}</span>
      <span id={`${itemId}-remark`} className="files-menu-remark">
        {whyNot ?? remark}
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
      const fromNext = [...items.slice(index + 1), ...items.slice(0, index + 1)];
      return fromNext.find((item) => item.textContent.toLowerCase().startsWith(key.toLowerCase()));
    }
  }
}

function useClosedFromOutside(root: RefObject<HTMLElement | null>, isOpen: boolean, close: () => void) {
  useEffect(() => {
    if (!isOpen) return undefined;
    // At the end of a click, so that nothing moves away from under the pointer.
    const onClick = ({ target }: MouseEvent) => {
      if (!root.current?.contains(target as Node)) close();
    };
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  });
}
