// Defines which names a branch may have, and creates default names.
import { isVisible } from '../../contract/printable';

const NAME_CHARACTERS_MAX = 60;
export const NAME_IN_WORDS = `1 to ${NAME_CHARACTERS_MAX} characters, all of them visible`;

/** Returns a name with this end; shortens the beginning if it is too long. */
export function branchName(beginning: string, end: string): string {
  const room = NAME_CHARACTERS_MAX - end.length;
  return `${beginning.length <= room ? beginning : `${beginning.slice(0, room - 1)}…`}${end}`;
}

export const isBranchName = (name: string) =>
  name.trim() !== '' && name.length <= NAME_CHARACTERS_MAX && isVisible(name);
