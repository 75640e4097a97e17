// Selects and sorts the commands that the command palette lists for a query.
import { matchSorter } from 'match-sorter';

import { isAvailable, type Command } from '../session/command-registry';
import type { ExplorerState } from '../session/store';

const RECENT_MAX = 5;
/** These commands open or close the palette itself. */
const leftOut = ['palette.open', 'dialog.close'];

/** Returns what else fits a query, the best first: latches of the catalogue. */
export type MoreForQuery = (words: string) => readonly Command[];

const noMore: MoreForQuery = () => [];
/** A single letter fits nearly everything. */
const WORDS_MIN = 2;
const MORE_MAX = 5;

/**
 * Lists the best available match first, because the palette highlights it. Without a query, lists
 * recent commands, then available ones, then the rest. `more` comes before commands that only have
 * the letters of the query.
 */
export function commandsForQuery(
  allCommands: readonly Command[],
  state: ExplorerState,
  query: string,
  more: MoreForQuery = noMore,
): Command[] {
  const commands = allCommands.filter(({ id }) => !leftOut.includes(id));
  const recent = state.recentCommands.flatMap((id) => commands.filter((command) => command.id === id));
  const rest = commands.filter((command) => !recent.includes(command));
  const all = [
    ...recent,
    ...rest.filter((command) => isAvailable(command, state)),
    ...rest.filter((command) => !isAvailable(command, state)),
  ];
  const words = query.trim();
  if (words === '') return all;
  const hits = matchSorter(all, words, {
    keys: ['title', 'id'],
    baseSort: (a, b) => a.index - b.index,
  });
  const available = hits.filter((command) => isAvailable(command, state));
  const others = words.length < WORDS_MIN ? [] : more(words).slice(0, MORE_MAX);
  const isNamed = ({ title, id }: Command) => `${title} ${id}`.toLowerCase().includes(words.toLowerCase());
  return [
    ...available.filter(isNamed),
    ...others,
    ...available.filter((command) => !isNamed(command)),
    ...hits.filter((command) => !isAvailable(command, state)),
  ];
}

/** Returns the index of the first available command, or -1. */
export const firstUsable = (commands: readonly Command[], state: ExplorerState): number =>
  commands.findIndex((command) => isAvailable(command, state));

/** Returns the recent ids with `id` as the latest. */
export const withRecent = (recent: readonly string[], id: string): string[] =>
  [id, ...recent.filter((other) => other !== id)].slice(0, RECENT_MAX);
