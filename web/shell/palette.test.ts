import { describe, expect, it } from 'vitest';

import { isAvailable, reasonAgainst } from '../session/command-registry';
import { pageForTest } from './page-fixture';
import { commandsForQuery, withRecent } from './palette';

const page = pageForTest();
const state = page.state();
const allCommands = page.session.commands.all();
const idsFor = (query: string, recentCommands: string[] = []) =>
  commandsForQuery(allCommands, { ...state, recentCommands }, query).map(({ id }) => id);

describe('commandsForQuery', () => {
  it('lists every command once, but those of the palette itself', () => {
    const ids = idsFor('');
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBe(allCommands.length - 2);
    expect(ids).not.toContain('palette.open');
  });

  it('lists what was chosen lately first, then what can be done now', () => {
    const ids = idsFor('', ['theme.dark', 'run.stop']);
    expect(ids.slice(0, 2)).toEqual(['theme.dark', 'run.stop']);
    expect(ids.indexOf('link.copy')).toBeLessThan(ids.indexOf('run.pause'));
  });

  it('has a reason for each command that cannot be done', () => {
    const without = allCommands.filter((command) => reasonAgainst(command, state) === 'not now');
    expect(without.map(({ id }) => id)).toEqual([]);
    expect(allCommands.some((command) => reasonAgainst(command, state) !== null)).toBe(true);
  });

  it('finds a command by its words, a part of them, or its id', () => {
    expect(idsFor('dark')[0]).toBe('theme.dark');
    expect(idsFor('117533')[0]).toBe('scenario.undo-read-117533');
    expect(idsFor('run.start')[0]).toBe('run.start');
  });

  it('prefers the recent one of two that match alike', () => {
    const query = 'theme';
    expect(idsFor(query)[0]).not.toBe('theme.dark');
    expect(idsFor(query, ['theme.dark'])[0]).toBe('theme.dark');
  });

  it('puts the first hit that can be done before those that cannot', () => {
    const ids = idsFor('run');
    const can = ids.map((id) =>
      isAvailable(
        allCommands.find((command) => command.id === id)!,
        state,
      ),
    );
    expect(can[0]).toBe(true);
    expect(can).toContain(false);
    expect(can.indexOf(false)).toBe(can.lastIndexOf(true) + 1);
  });

  it('finds nothing for what no command is called', () => {
    expect(idsFor('zzzzqqqq')).toEqual([]);
  });
});

describe('what else fits a query', () => {
  const latch = (id: string) => ({ id: `latch.${id}`, title: id, execute: () => undefined });
  const idsWith = (query: string, found: string[]) =>
    commandsForQuery(allCommands, state, query, () => found.map(latch)).map(({ id }) => id);

  it('comes after commands that the query names, and before those with the same letters', () => {
    const ids = idsWith('run', ['a', 'b']);
    const place = ids.indexOf('latch.a');
    expect(ids[place + 1]).toBe('latch.b');
    const isNamed = (id: string) =>
      `${allCommands.find((command) => command.id === id)!.title} ${id}`.toLowerCase().includes('run');
    expect(ids.slice(0, place).every(isNamed)).toBe(true);
    expect(place).toBeGreaterThan(0);
    const later = allCommands.filter(
      (command) => isAvailable(command, state) && ids.indexOf(command.id) > place,
    );
    expect(later.some(({ id }) => isNamed(id))).toBe(false);
  });

  it('has at most five, and none for a single letter or without a query', () => {
    const found = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(idsWith('zzzz', found)).toEqual(found.slice(0, 5).map((id) => `latch.${id}`));
    expect(idsWith('z', ['a'])).not.toContain('latch.a');
    expect(idsWith('', ['a'])).not.toContain('latch.a');
  });
});

describe('withRecent', () => {
  it('puts the latest first, each once, and forgets the oldest', () => {
    expect(withRecent(['a', 'b'], 'b')).toEqual(['b', 'a']);
    expect(withRecent(['a', 'b', 'c', 'd', 'e'], 'f')).toEqual(['f', 'a', 'b', 'c', 'd']);
  });
});
