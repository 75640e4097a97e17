import { expect, test } from 'vitest';

import { CommandRegistry, type Command } from './command-registry';
import { sessionForTest } from './test-fixtures/session-for-test';

const command = (id: string): Command => ({ id, title: id, isEnabled: () => true, execute: () => undefined });
const idsOf = (registry: CommandRegistry) => registry.all().map(({ id }) => id);

test('a source that is removed takes its commands with it, and no others', () => {
  const { store } = sessionForTest();
  const registry = new CommandRegistry(() => store.getState());
  const remove = registry.register({ commands: () => [command('a'), command('b')] });
  registry.register({ commands: () => [command('c')] });
  expect(idsOf(registry)).toEqual(['a', 'b', 'c']);
  remove();
  expect(idsOf(registry)).toEqual(['c']);
  expect(() => registry.find('a')).toThrow('Unknown command a.');
});
