import { describe, expect, it } from 'vitest';

import { all_scenarios } from '../contract/all-scenarios';
import { keysInWords, shortcutGroups, shortcutOf, shortcutsOf } from './shortcuts';
import { pageForTest } from './page-fixture';
import { scenarios } from '../contract/test-fixtures';
import type { ExplorerState } from '../session/store';

const { state: stateNow } = pageForTest();
const stateWith = (change: Partial<ExplorerState> = {}): ExplorerState => ({
  ...stateNow(),
  view: 'explorer',
  ...change,
});

describe('the table of shortcuts', () => {
  it.each(all_scenarios)('has each key once, on slides and elsewhere: $manifest.id', (scenario) => {
    const all = shortcutsOf(stateWith({ scenario }));
    const keysOf = (shortcuts: typeof all) =>
      shortcuts.map((shortcut) => keysInWords(shortcut, false).join(' '));
    for (const keys of [
      keysOf(all.filter(({ onSlides }) => onSlides !== 'only')),
      keysOf(all.filter(({ onSlides }) => onSlides !== undefined)),
    ])
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
    const firstKeys = shortcuts.filter(({ keys }) => keys.length > 1).map(({ keys }) => keys[0]);
    expect(firstKeys.length).toBeGreaterThan(0);
    for (const { keys, withCtrl } of shortcuts) {
      if (keys.length === 1 && !withCtrl) expect(firstKeys).not.toContain(keys[0]);
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
      '8',
      '9',
    ]);
    expect(design!.shortcuts[5]!.title).toBe('Latch against purge: One rw_lock');
    expect(design!.shortcuts[9]!.title).toBe('Page size of the undo tablespace: Ask the shard, your latch');
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
