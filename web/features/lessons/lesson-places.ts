// Finds and outlines the panels that a lesson points at.
import type { LessonPlace } from '../../contract/lesson';

/** Selectors of the places' panels; by default the panel of the evidence. */
const selectors: Partial<Record<LessonPlace, string>> = {
  design: '[data-panel="Lock design"]',
  tiles: '.tiles',
  throughput: '[data-panel="Throughput"]',
  latency: '[data-panel="Latency"]',
  time: '[data-panel="Client time"]',
  lanes: '[data-panel="Thread lanes"]',
  actions: '[data-panel="Actions"]',
  log: '[data-panel="Log"]',
  'chain.states': '.chain-states',
  'chain.whole': '[data-panel="Whole chain"]',
};

/** Outlines a panel and scrolls to it. Returns a function that removes the outline. */
export function pointAt(place: LessonPlace): () => void {
  const element = document.querySelector<HTMLElement>(selectors[place] ?? '.evidence-panel');
  if (element === null) return () => undefined;
  element.dataset.isPointedAt = 'true';
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const seen = fitsAbove(element) ? element : (element.querySelector('.chart') ?? element);
  seen.scrollIntoView({ block: 'nearest', behavior: isCalm ? 'auto' : 'smooth' });
  return () => {
    delete element.dataset.isPointedAt;
  };
}

/** Scrolls to the throughput without an outline. */
export function bringThroughputIntoView(): void {
  document.querySelector(selectors.throughput!)?.scrollIntoView({ block: 'nearest' });
}

/**
 * Returns whether the element fits into its scroll container. On a phone the lesson uses half of
 * the page.
 */
function fitsAbove(element: HTMLElement): boolean {
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    if (around.scrollHeight > around.clientHeight && around.clientHeight > 0)
      return element.offsetHeight <= around.clientHeight;
  }
  return true;
}

/** Returns the command that shows a place in the inspector; null if it is elsewhere. */
export const commandFor = (place: LessonPlace): string | null => {
  if (place === 'result') return 'evidence.result';
  if (place === 'chain.states' || place === 'chain.whole') return 'evidence.chain';
  // The command that opens a form of the evidence has the id of its place.
  return place.startsWith('evidence.') ? place : null;
};
