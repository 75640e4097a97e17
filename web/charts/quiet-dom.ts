// Changes the document with as little work for the browser as possible.

/**
 * Writes into the existing text node. For a new node, browsers would re-evaluate all style rules
 * that depend on an element's content.
 */
export function writeText(into: HTMLElement, text: string): void {
  const written = into.firstChild;
  if (written === null) into.textContent = text;
  else if (written.nodeValue !== text) written.nodeValue = text;
}

/** Sets or removes an attribute without a value. */
export function setPresent(into: HTMLElement, attribute: string, is_present: boolean): void {
  if (into.hasAttribute(attribute) !== is_present) into.toggleAttribute(attribute, is_present);
}

/**
 * Sets `hidden` only if it changes: browsers re-evaluate an element whose attribute is set again.
 */
export function setHidden(shown: HTMLElement, is_hidden: boolean): void {
  if (shown.hidden !== is_hidden) shown.hidden = is_hidden;
}
