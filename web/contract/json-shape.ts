/** The size of a JSON document, measured before it is parsed. */
export interface JsonShape {
  /** Nesting depth of lists and objects. */
  depth: number;
  /** Approximate number of lists, objects and members: commas and opening brackets. */
  values: number;
}

const codes = ['"', '\\', ',', '[', '{', ']', '}'].map((character) => character.charCodeAt(0));
const [QUOTE, BACKSLASH, COMMA, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = codes;

export function jsonShape(text: string): JsonShape {
  const shape = { depth: 0, values: 0 };
  let level = 0;
  let is_string = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text.charCodeAt(i);
    if (is_string) {
      if (character === BACKSLASH) i += 1;
      else if (character === QUOTE) is_string = false;
    } else if (character === QUOTE) is_string = true;
    else if (character === COMMA) shape.values += 1;
    else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      level += 1;
      shape.values += 1;
      if (level > shape.depth) shape.depth = level;
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) level -= 1;
  }
  return shape;
}
