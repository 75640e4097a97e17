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

describe('withRecent', () => {
  it('puts the latest first, each once, and forgets the oldest', () => {
    expect(withRecent(['a', 'b'], 'b')).toEqual(['b', 'a']);
    expect(withRecent(['a', 'b', 'c', 'd', 'e'], 'f')).toEqual(['f', 'a', 'b', 'c', 'd']);
  });
});
