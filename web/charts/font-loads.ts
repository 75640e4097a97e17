// Reports to charts that the font of the page was loaded: they measure and draw text themselves.

/** Calls back after fonts were loaded. Returns a function that stops it. */
export function onFontLoads(redraw: () => void): () => void {
  // Missing in tests without a browser.
  if (!('fonts' in document)) return () => undefined;
  document.fonts.addEventListener('loadingdone', redraw);
  return () => document.fonts.removeEventListener('loadingdone', redraw);
}
