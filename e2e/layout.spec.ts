// Checks what must be visible at the same time, in windows of a laptop, a projector and a phone.
import type { Locator, Page } from '@playwright/test';

import { expect, test, type Explorer } from './explorer';
import { expectWithin, nestedScrolling, overlappingTexts, PHONE_PX } from './layout';
import { scenarioCases } from './scenario-cases';

const laptop = { width: 1440, height: 900 };
const projector = { width: 1920, height: 1080 };
const phone = { width: PHONE_PX, height: 844 };

const linkTo = (scenario: string) => `#v=1&scenario=${scenario}&platform=virtual`;
const guide = (page: Page) => page.locator('.lesson-body');
const rail = (page: Page) => page.locator('.area-rail');
const throughput = (page: Page) => page.locator('[data-panel="Throughput"]');

async function expectAllWithin(elements: Locator, holder: Locator): Promise<void> {
  for (const element of await elements.all()) await expectWithin(element, holder);
}

/** Checks that the question and its answers are visible without scrolling. */
async function expectWholeQuestion(page: Page): Promise<void> {
  await expect(guide(page).getByRole('radio')).not.toHaveCount(0);
  await expectAllWithin(page.locator('.lesson-question :is(legend, label)'), guide(page));
}

/** Opens each bug in turn. The page is loaded once. */
async function eachBug({ page }: Explorer, fields: string, look: () => Promise<void>): Promise<void> {
  await page.goto('/');
  for (const { bug, id } of scenarioCases)
    await test.step(`#${bug}`, async () => {
      await page.evaluate((hash) => (location.hash = hash), `${linkTo(id)}${fields}`);
      await page.waitForFunction((scenario) => window.latchscope.state().draft.scenario === scenario, id);
      await look();
    });
}

/**
 * Scrolls as little as necessary, as moving the focus by key does. In some browsers Playwright's
 * own scrolling centers the element.
 */
const bringIntoSight = (element: Locator) =>
  element.evaluate((node) => {
    node.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

test('no text of a run overlaps another, in any evidence and any window', async ({ explorer, page }) => {
  await explorer.open(`${linkTo('fil-mutex-69276')}&run=1&duration_s=0.03`);
  await explorer.expectRunState('finished');
  await explorer.button('Wide').click();
  for (const title of explorer.allEvidence) {
    await explorer.evidence(title);
    for (const viewport of [laptop, projector, phone]) {
      await page.setViewportSize(viewport);
      await expect.poll(() => page.evaluate(overlappingTexts), `${title}, ${viewport.width} px`).toEqual([]);
    }
  }
});

const viewLinks = {
  'start page': '',
  'bug that has not run': linkTo('undo-read-117533'),
  lesson: `${linkTo('undo-read-117533')}&lesson=1`,
  slides: `${linkTo('undo-read-117533')}&lesson=1&presenter=1`,
  comparison: `${linkTo('undo-read-117533')}&view=compare`,
  sweep: `${linkTo('undo-read-117533')}&view=sweep`,
  'what-if': `${linkTo('undo-read-117533')}&view=what_if`,
  'your waits': '#view=waits',
  workload: '#view=workload',
};

/** Each change is a line in the log. */
const runWithLongLog =
  `${linkTo('undo-read-117533')}&run=1&threads=16&duration_s=0.02&interval_s=0.005` +
  '&parameters.rows=1000&at=0.005:update_k&at=0.012:undo_page_size_lookup:cached';

test('nothing scrolls inside of what scrolls, in any view and any window', async ({ explorer, page }) => {
  const expectNoneNested = async (view: string) => {
    for (const viewport of [laptop, projector, phone]) {
      await page.setViewportSize(viewport);
      await expect.poll(() => page.evaluate(nestedScrolling), `${view}, ${viewport.width} px`).toEqual([]);
    }
  };
  await page.goto('/');
  for (const [view, link] of Object.entries(viewLinks)) {
    await page.evaluate((hash) => (location.hash = hash), link);
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
    await expectNoneNested(view);
  }
  await page.setViewportSize(laptop);
  await explorer.open(runWithLongLog);
  await explorer.expectRunState('finished');
  for (const title of explorer.allEvidence) {
    await page.setViewportSize(laptop);
    await explorer.evidence(title);
    await expectNoneNested(title);
  }
  await page.setViewportSize(laptop);
  await page.locator('.chart-table summary').click();
  await expectNoneNested('table of values');
  await page.evaluate(() => window.latchscope.execute('story.open'));
  await expectNoneNested('story');
});

test('messages move nothing, and errors stay until they are closed', async ({ explorer, page }) => {
  await explorer.open(linkTo('undo-read-117533'));
  const placeOfView = () =>
    page.locator('main').evaluate((node) => JSON.stringify(node.getBoundingClientRect()));
  const before = await placeOfView();
  const message = page.getByRole('status').filter({ hasText: /link/i });
  await page.evaluate(() => window.latchscope.execute('link.copy'));
  await expect(message).toBeVisible();
  expect(await placeOfView()).toEqual(before);

  await page.evaluate(() => (location.hash = '#v=1&scenario=undo-read-117533&threads=-1'));
  const error = page.getByRole('alert');
  await expect(error).toBeVisible();
  expect(await placeOfView()).toEqual(before);
  // The other message has left by itself.
  await expect(message).toHaveCount(0);
  await expect(error).toBeVisible();
  await error.getByRole('button', { name: 'Close error' }).click();
  await expect(error).toHaveCount(0);
  expect(await placeOfView()).toEqual(before);
});

test.describe('on a laptop', () => {
  test.use({ viewport: laptop });

  test('lesson and story of each bug keep the actions visible, and the lesson its whole question', async ({
    explorer,
    page,
  }) => {
    await eachBug(explorer, '&lesson=1', async () => {
      await expectWholeQuestion(page);
      const actions = explorer.panel('Actions').getByRole('button');
      await expectAllWithin(actions, rail(page));
      await page.evaluate(() => window.latchscope.execute('lesson.close'));
      await expectAllWithin(actions, rail(page));
      await page.evaluate(() => window.latchscope.execute('story.open'));
      await expect(explorer.panel('The story')).toBeVisible();
      await expectAllWithin(actions, rail(page));
      for (const title of ['Lock design', 'Log']) {
        await explorer.panel(title).scrollIntoViewIfNeeded();
        await expect(explorer.panel(title)).toBeInViewport();
      }
    });
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: phone });

  test('the chart of each bug is visible when a design is changed', async ({ explorer, page }) => {
    await eachBug(explorer, '', async () => {
      await bringIntoSight(explorer.fixedDesign);
      await explorer.fixedDesign.click();
      await expect(explorer.fixedDesign).toHaveAttribute('aria-pressed', 'true');
      await expectWithin(throughput(page), page.locator('html'));
      const chips = explorer.panel('Lock design').locator('.variants:visible');
      for (const row of await chips.all()) {
        await bringIntoSight(row.getByRole('radio').first());
        await expectWithin(throughput(page), page.locator('html'));
      }
    });
  });
});
