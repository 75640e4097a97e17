// Selects and sorts the commands that the command palette lists for a query.
import { matchSorter } from 'match-sorter';

import { isAvailable, type Command } from '../session/command-registry';
import type { ExplorerState } from '../session/store';

const RECENT_MAX = 5;
/** These commands open or close the palette itself. */
const leftOut = ['palette.open', 'dialog.close'];

/**
 * Lists the best available match first, because the palette highlights it. Without a query, lists
 * recent commands, then available ones, then the rest.
 */
export function commandsForQuery(
  allCommands: readonly Command[],
  state: ExplorerState,
  query: string,
): Command[] {
  const commands = allCommands.filter(({ id }) => !leftOut.includes(id));
  const recent = state.recentCommands.flatMap((id) => commands.filter((command) => command.id === id));
  const others = commands.filter((command) => !recent.includes(command));
  const all = [
    ...recent,
    ...others.filter((command) => isAvailable(command, state)),
    ...others.filter((command) => !isAvailable(command, state)),
  ];
  const words = query.trim();
  if (words === '') return all;
  const hits = matchSorter(all, words, {
    keys: ['title', 'id'],
    baseSort: (a, b) => a.index - b.index,
  });
  return [
    ...hits.filter((command) => isAvailable(command, state)),
    ...hits.filter((command) => !isAvailable(command, state)),
  ];
}

/** Returns the index of the first available command, or -1. */
export const firstUsable = (commands: readonly Command[], state: ExplorerState): number =>
  commands.findIndex((command) => isAvailable(command, state));

/** Returns the recent ids with `id` as the latest. */
export const withRecent = (recent: readonly string[], id: string): string[] =>
  [id, ...recent.filter((other) => other !== id)].slice(0, RECENT_MAX);
