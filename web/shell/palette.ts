// The command palette: which commands it lists for what was typed, and in which order.
import { matchSorter } from 'match-sorter';

import type { Command } from '../session/command-registry';
import type { PageState } from './page-state';

const RECENT_MAX = 5;
/** It would open or close the palette itself. */
const LEFT_OUT = ['palette.open', 'dialog.close'];

/** The best match that can be done now first, for it is highlighted; without a query, what was chosen lately, then what can be done now, then the rest. */
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

/** Place of the first command that can be done now; -1: there is none. */
export const firstUsable = (commands: readonly Command[], state: PageState): number =>
  commands.findIndex((command) => command.isEnabled(state));

/** What was chosen, with the latest first. */
export const withRecent = (recent: readonly string[], id: string): string[] =>
  [id, ...recent.filter((other) => other !== id)].slice(0, RECENT_MAX);
