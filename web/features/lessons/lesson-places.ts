// Finds and outlines the panels that a lesson points at.
import type { LessonPlace } from '../../contract/lesson';

type EvidencePlace = Extract<LessonPlace, `evidence.${string}`>;

/** Selectors of the panels that a lesson points at. */
const selectors: Record<Exclude<LessonPlace, EvidencePlace>, string> = {
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
  result: '.evidence-panel',
};

const placeTitles: Record<LessonPlace, string> = {
  design: 'lock design',
  tiles: 'metrics',
  throughput: 'throughput',
  latency: 'latency',
  time: 'client time',
  lanes: 'thread lanes',
  actions: 'actions',
  log: 'log',
  'evidence.latches': 'latches',
  'evidence.stacks': 'stacks',
  'evidence.blocked_stack': 'blocked threads',
  'evidence.cpu': 'CPU time',
  'evidence.sysbench': 'sysbench lines',
  'evidence.server_log': 'server log',
  'evidence.counters': 'counters',
  'evidence.flame': 'flame graph',
  'evidence.source': 'source',
  'evidence.reported': 'reported values',
  'evidence.chain': 'explanation',
  'chain.states': 'transaction states',
  'chain.whole': 'whole chain',
  result: 'whole run',
};

export const titleOfPlace = (place: LessonPlace) => placeTitles[place];

/** Outlines a panel and scrolls to it. Returns a function that removes the outline. */
export function pointAt(place: LessonPlace): () => void {
  const selector = isEvidence(place) ? '.evidence-panel' : selectors[place];
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
  return isEvidence(place) ? place : null;
};

/**
 * Returns whether the place is a form of the evidence; the command that opens it has the same id.
 */
export const isEvidence = (place: LessonPlace): place is EvidencePlace => place.startsWith('evidence.');
