// Finds and outlines the panels that a lesson points at.
import type { LessonPlace } from '../../contract/lesson';

/** Each place's title, and the selector of its panel; by default the panel of the evidence. */
const places: Record<LessonPlace, readonly [title: string, selector?: string]> = {
  design: ['lock design', '[data-panel="Lock design"]'],
  tiles: ['metrics', '.tiles'],
  throughput: ['throughput', '[data-panel="Throughput"]'],
  latency: ['latency', '[data-panel="Latency"]'],
  time: ['client time', '[data-panel="Client time"]'],
  lanes: ['thread lanes', '[data-panel="Thread lanes"]'],
  actions: ['actions', '[data-panel="Actions"]'],
  log: ['log', '[data-panel="Log"]'],
  'evidence.latches': ['latches'],
  'evidence.stacks': ['stacks'],
  'evidence.blocked_stack': ['blocked threads'],
  'evidence.cpu': ['CPU time'],
  'evidence.sysbench': ['sysbench lines'],
  'evidence.server_log': ['server log'],
  'evidence.counters': ['counters'],
  'evidence.flame': ['flame graph'],
  'evidence.source': ['source'],
  'evidence.reported': ['reported values'],
  'evidence.chain': ['explanation'],
  'chain.states': ['transaction states', '.chain-states'],
  'chain.whole': ['whole chain', '[data-panel="Whole chain"]'],
  result: ['whole run'],
};

export const titleOfPlace = (place: LessonPlace) => places[place][0];

/** Outlines a panel and scrolls to it. Returns a function that removes the outline. */
export function pointAt(place: LessonPlace): () => void {
  const [, selector = '.evidence-panel'] = places[place];
  const element = document.querySelector<HTMLElement>(selector);
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
  const [, selector] = places.throughput;
  document.querySelector(selector!)?.scrollIntoView({ block: 'nearest' });
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
