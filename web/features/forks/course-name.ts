import { isVisible } from '../../contract/printable';

const NAME_CHARACTERS_MAX = 60;
export const NAME_IN_WORDS = `1 to ${NAME_CHARACTERS_MAX} characters, all of them visible`;

export const isCourseName = (name: string) =>
  name.trim() !== '' && name.length <= NAME_CHARACTERS_MAX && isVisible(name);
