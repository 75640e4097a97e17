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
export function setPresent(into: HTMLElement, attribute: string, isPresent: boolean): void {
  if (into.hasAttribute(attribute) !== isPresent) into.toggleAttribute(attribute, isPresent);
}

/**
 * Sets `hidden` only if it changes: browsers re-evaluate an element whose attribute is set again.
 */
export function setHidden(shown: HTMLElement, isHidden: boolean): void {
  if (shown.hidden !== isHidden) shown.hidden = isHidden;
}
