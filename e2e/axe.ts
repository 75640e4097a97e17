// Runs axe on the page.
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Looked {
  /** Selector of the part of the page to check; default: the whole page. */
  part?: string;
  /** `contrast` checks only what another color scheme can break. */
  rules?: 'all' | 'contrast';
}

/** Returns the accessibility rules that are broken, and where. */
export async function brokenRules(page: Page, { part, rules = 'all' }: Looked = {}): Promise<unknown[]> {
  // Reporting rules that hold, and a second page for results from frames of other origins, would
  // take two thirds of the time.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  if (part !== undefined) axe.include(part);
  if (rules === 'all') axe.withTags(tags);
  else axe.withRules(['color-contrast']);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]);
}
