// Selects and sorts the commands that the command palette lists for a query.
import { matchSorter } from 'match-sorter';

import type { Command } from '../session/command-registry';
import type { PageState } from './page-state';

const RECENT_MAX = 5;
/** These commands open or close the palette itself. */
const LEFT_OUT = ['palette.open', 'dialog.close'];

/**
 * Lists the best available match first, because the palette highlights it. Without a query, lists
 * recent commands, then available ones, then the rest.
 */
export function commandsForQuery(
  all_commands: readonly Command[],
  state: PageState,
  query: string,
): Command[] {
  const commands = all_commands.filter(({ id }) => !LEFT_OUT.includes(id));
  const recent = state.recent_commands.flatMap((id) => commands.filter((command) => command.id === id));
  const others = commands.filter((command) => !recent.includes(command));
  const all = [
    ...recent,
    ...others.filter((command) => command.isEnabled(state)),
    ...others.filter((command) => !command.isEnabled(state)),
  ];
  const words = query.trim();
  if (words === '') return all;
  const hits = matchSorter(all, words, {
    keys: ['title', 'id'],
    baseSort: (a, b) => a.index - b.index,
  });
  return [
    ...hits.filter((command) => command.isEnabled(state)),
    ...hits.filter((command) => !command.isEnabled(state)),
  ];
}

/** Returns the index of the first available command, or -1. */
export const firstUsable = (commands: readonly Command[], state: PageState): number =>
  commands.findIndex((command) => command.isEnabled(state));

/** Returns the recent ids with `id` as the latest. */
export const withRecent = (recent: readonly string[], id: string): string[] =>
  [id, ...recent.filter((other) => other !== id)].slice(0, RECENT_MAX);
