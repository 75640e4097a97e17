import { beforeEach, describe, expect, it } from 'vitest';

import { all_scenarios } from '../contract/all-scenarios';
import {
  keysInWords,
  ShortcutReader,
  shortcutGroups,
  shortcutOf,
  shortcutsOf,
  type KeyPress,
} from './shortcuts';
import { pageForTest } from './page-fixture';
import type { PageState } from './page-state';
import { scenarios } from '../contract/test-fixtures';

const { state: stateNow } = pageForTest();
const stateWith = (change: Partial<PageState> = {}): PageState => ({
  ...stateNow(),
  view: 'explorer',
  ...change,
});
const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({
  key,
  has_ctrl: false,
  has_other_modifier: false,
  is_taken: false,
  time_ms: 0,
  ...change,
});

describe('the table of shortcuts', () => {
  it.each(all_scenarios)('has each key once: $manifest.id', (scenario) => {
    const keys = shortcutsOf(stateWith({ scenario })).map((shortcut) =>
      keysInWords(shortcut, false).join(' '),
    );
    expect(new Set(keys).size).toBe(keys.length);
  });

  it.each(all_scenarios)('names commands that there are: $manifest.id', (scenario) => {
    const page = pageForTest();
    page.session.store.setState({ scenario });
    const state = page.state();
    const ids = page.session.commands.all().map(({ id }) => id);
    for (const shortcut of shortcutsOf(state)) expect(ids).toContain(shortcut.command(state));
  });

  it('has no key that also begins a sequence', () => {
    const shortcuts = shortcutsOf(stateWith());
    const first_keys = shortcuts.filter(({ keys }) => keys.length > 1).map(({ keys }) => keys[0]);
    expect(first_keys.length).toBeGreaterThan(0);
    for (const { keys, with_ctrl } of shortcuts) {
      if (keys.length === 1 && !with_ctrl) expect(first_keys).not.toContain(keys[0]);
    }
  });

  it('numbers the variants of all knobs as the page lists them', () => {
    const [, design] = shortcutGroups({ scenario: scenarios[1]! });
    expect(design!.shortcuts.map(({ keys }) => keys[0])).toEqual([
      'o',
      'f',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
      '7',
    ]);
    expect(design!.shortcuts[5]!.title).toBe('Latch against purge: One rw_lock');
  });

  it('is asked for the key of a command', () => {
    expect(shortcutOf(stateWith(), 'run.start')?.keys).toEqual(['Space']);
    expect(shortcutOf(stateWith({ run_state: 'paused' }), 'run.resume')?.keys).toEqual(['Space']);
    expect(shortcutOf(stateWith(), 'run.pause')).toBeUndefined();
  });

  it('is written with the key of the system', () => {
    const palette = shortcutOf(stateWith(), 'palette.open')!;
    expect(keysInWords(palette, false)).toEqual(['Ctrl', 'K']);
    expect(keysInWords(palette, true)).toEqual(['⌘', 'K']);
  });
});

describe('ShortcutReader', () => {
  let reader: ShortcutReader;
  beforeEach(() => {
    reader = new ShortcutReader();
  });

  it('runs, pauses and resumes with the same key', () => {
    expect(reader.read(press(' '), stateWith())).toBe('run.start');
    expect(reader.read(press(' '), stateWith({ run_state: 'running' }))).toBe('run.pause');
    expect(reader.read(press(' '), stateWith({ run_state: 'paused' }))).toBe('run.resume');
  });

  it('takes capitals for small letters', () => {
    expect(reader.read(press('F'), stateWith())).toBe('design.fixed');
  });

  it('turns the knob that a digit stands for', () => {
    expect(reader.read(press('5'), stateWith())).toBe('knob.tablespace_lookup.atomic_word');
    expect(reader.read(press('9'), stateWith())).toBeNull();
  });

  it('takes two keys one after the other', () => {
    expect(reader.read(press('g'), stateWith())).toBeNull();
    expect(reader.read(press('s', { time_ms: 400 }), stateWith())).toBe('view.sweep');
    expect(reader.read(press('s', { time_ms: 500 }), stateWith())).toBe('run.stop');
  });

  it('forgets the first key after a while, or at a key that does not go on', () => {
    reader.read(press('g'), stateWith());
    expect(reader.read(press('s', { time_ms: 5000 }), stateWith())).toBe('run.stop');
    reader.read(press('g'), stateWith());
    expect(reader.read(press('x', { time_ms: 100 }), stateWith())).toBeNull();
    expect(reader.read(press('s', { time_ms: 200 }), stateWith())).toBe('run.stop');
  });

  it.each([
    ['while somebody types', press('s', { is_taken: true }), {}],
    ['with another modifier', press('s', { has_other_modifier: true }), {}],
    ['with Ctrl, if it is not one of those', press('s', { has_ctrl: true }), {}],
    ['while a dialog is open', press('s'), { dialog: 'help' }],
    ['when they are switched off', press('s'), { are_shortcuts_on: false }],
    ['on the start page, if it is of a run', press('s'), { view: 'front' }],
  ] as const)('does nothing %s', (_, pressed, change) => {
    expect(reader.read(press('s'), stateWith())).toBe('run.stop');
    expect(reader.read(pressed, stateWith(change))).toBeNull();
  });

  it('opens the palette from a field and with single keys off', () => {
    const pressed = press('k', { has_ctrl: true, is_taken: true });
    expect(reader.read(pressed, stateWith({ are_shortcuts_on: false, view: 'front' }))).toBe('palette.open');
  });
});
