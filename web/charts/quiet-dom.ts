// Changes of the document that browsers answer with as little work as they can.

/** Into the text node that is there: with a new one, browsers would look at all style rules again that ask what an element has in it. */
export function writeText(into: HTMLElement, text: string): void {
  const written = into.firstChild;
  if (written === null) into.textContent = text;
  else if (written.nodeValue !== text) written.nodeValue = text;
}

/** An attribute without a value. */
export function setPresent(into: HTMLElement, attribute: string, is_present: boolean): void {
  if (into.hasAttribute(attribute) !== is_present) into.toggleAttribute(attribute, is_present);
}

/** An attribute that is set again makes browsers look at its element again. */
export function setHidden(shown: HTMLElement, is_hidden: boolean): void {
  if (shown.hidden !== is_hidden) shown.hidden = is_hidden;
}
