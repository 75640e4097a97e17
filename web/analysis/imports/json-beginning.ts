// Tells JSON from what a server prints, by its beginning.

/** After a bracket, JSON goes on with a value. A debugger does not: `[New LWP 1002]`. */
const JSON_BEGINS = /^\uFEFF?\s*(?:\{|\[\s*(?:[[{"\]\d-]|true|false|null|$))/;

/** Returns whether a text begins as JSON, which no text of a server does. */
export const beginsAsJson = (beginning: string) => JSON_BEGINS.test(beginning);
