import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Looked {
  /** Selector of the part of the page to check. Default: the whole page. */
  part?: string;
  /** `contrast` checks only what another colour scheme can break. */
  rules?: 'all' | 'contrast';
}

/** The accessibility rules that are broken, and where. */
export async function brokenRules(page: Page, { part, rules = 'all' }: Looked = {}): Promise<unknown[]> {
  // Two thirds of the time would go into rules that hold, and into a second page that gathers what frames of other origins say.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  if (part !== undefined) axe.include(part);
  if (rules === 'all') axe.withTags(tags);
  else axe.withRules(['color-contrast']);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => String(target))]);
}
