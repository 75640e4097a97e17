import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { pageForTest } from './page-fixture';
import { followShortcuts } from './use-shortcuts';
import type { ExplorerState } from '../session/store';

/** Simulates the focused element and the document around it. */
class FakeElement extends EventTarget {
  constructor(readonly isField = false) {
    super();
  }
  closest(selector: string): FakeElement | null {
    return this.isField && selector.includes('textarea') ? this : null;
  }
}

interface Modifiers {
  hasCtrl?: boolean;
  hasAlt?: boolean;
  hasShift?: boolean;
}

function keyEvent(key: string, { hasCtrl = false, hasAlt = false, hasShift = false }: Modifiers): Event {
  const held: Record<string, boolean> = { Control: hasCtrl, Alt: hasAlt, Shift: hasShift };
  return Object.assign(new Event('keydown', { cancelable: true }), {
    key,
    code: key === ' ' ? 'Space' : `Key${key.toUpperCase()}`,
    ctrlKey: hasCtrl,
    getModifierState: (modifier: string) => held[modifier] ?? false,
  });
}

let performed: string[];
let press: (key: string, modifiers?: Modifiers) => Event;
let change: (state: Partial<ExplorerState>) => void;

function openPage(focused = new FakeElement()): void {
  const { session } = pageForTest();
  const store = session.store;
  store.setState({ view: 'explorer' });
  performed = [];
  vi.spyOn(session.commands, 'isEnabled').mockReturnValue(true);
  vi.spyOn(session.commands, 'perform').mockImplementation((id) => {
    performed.push(id);
    return Promise.resolve();
  });
  followShortcuts(focused as unknown as Window, session, store.getState().scenario);
  change = (state) => store.setState(state);
  press = (key, modifiers = {}) => {
    const event = keyEvent(key, modifiers);
    focused.dispatchEvent(event);
    return event;
  };
}

beforeEach(() => {
  vi.stubGlobal('Element', FakeElement);
  vi.useFakeTimers();
  openPage();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a key', () => {
  it('runs, pauses and resumes, all with the same one', () => {
    press(' ');
    change({ run_state: 'running' });
    press(' ');
    change({ run_state: 'paused' });
    press(' ');
    expect(performed).toEqual(['run.start', 'run.pause', 'run.resume']);
  });

  it('has another meaning on slides, or none', () => {
    press('f');
    press('PageDown');
    expect(performed).toEqual(['design.fixed']);
    change({ presenter: { is_on: true, slide: 0, slides: 3 } });
    // A remote sends no letters.
    change({ areShortcutsOn: false });
    for (const key of ['PageDown', 'ArrowRight', ' ', 'PageUp', 'f', 'o', '1', 'Escape']) press(key);
    expect(performed.slice(1)).toEqual([
      ...['presenter.next', 'presenter.next', 'presenter.next', 'presenter.previous'],
      ...['presenter.fullscreen', 'presenter.toggle'],
    ]);
  });

  it('may be a capital, or need Shift', () => {
    press('F', { hasShift: true });
    press('F');
    press('?', { hasShift: true });
    press('?');
    expect(performed).toEqual(['design.fixed', 'design.fixed', 'help.open', 'help.open']);
  });

  it('turns the knob that a digit stands for', () => {
    press('5');
    press('9');
    expect(performed).toEqual(['knob.tablespace_lookup.atomic_word', 'knob.spin_delay_generator.per_thread']);
  });

  it('does nothing else in the browser, unless it is no shortcut', () => {
    expect(press('s').defaultPrevented).toBe(true);
    expect(press('x').defaultPrevented).toBe(false);
  });
});

describe('two keys', () => {
  it('are taken one after the other, and the second one alone is not meant', () => {
    press('g');
    press('s');
    press('s');
    expect(performed).toEqual(['view.sweep', 'run.stop']);
  });

  it('are forgotten after a while, or at a key that does not go on', () => {
    press('g');
    vi.advanceTimersByTime(5000);
    press('s');
    press('g');
    press('x');
    press('s');
    expect(performed).toEqual(['run.stop', 'run.stop']);
  });
});

describe('nothing is done', () => {
  it.each([
    ['with another modifier', 's', { hasAlt: true }, {}],
    ['with Ctrl, if it is not one of those', 's', { hasCtrl: true }, {}],
    ['with Ctrl and Shift', 'k', { hasCtrl: true, hasShift: true }, {}],
    ['while a dialog is open', 's', {}, { dialog: 'help' }],
    ['when single keys are switched off', 's', {}, { areShortcutsOn: false }],
    ['on the start page, if it is of a run', 's', {}, { view: 'front' }],
  ] as const)('%s', (_, key, modifiers, state) => {
    change(state);
    expect(press(key, modifiers).defaultPrevented).toBe(false);
    expect(performed).toEqual([]);
  });

  it('while somebody types', () => {
    openPage(new FakeElement(true));
    press('s');
    expect(performed).toEqual([]);
  });
});

it('the palette opens from a field and with single keys off', () => {
  openPage(new FakeElement(true));
  change({ areShortcutsOn: false, view: 'front' });
  press('k', { hasCtrl: true });
  expect(performed).toEqual(['palette.open']);
});
