// Tests the pictures in the stories, and links from stories to the glossary.
import { brokenRules } from './axe';
import { expect, test } from './explorer';
import { expectToFit } from './layout';

/**
 * For each bug: the slider, the value it sets, which is smaller than the report's, and the
 * resulting text.
 */
const bugs = [
  {
    scenario: 'fil-mutex-69276',
    slider: 'Clients',
    spec: { threads: 32 },
    says: /takes fil_system->mutex 6\.\d\d times, at 6 stops/,
  },
  {
    scenario: 'undo-read-117533',
    slider: 'Clients',
    spec: { threads: 16 },
    says: /The line of Fil_shard::m_mutex went from core to core/,
  },
  {
    scenario: 'aio-wakeup-95491',
    slider: 'Clients',
    keys: ['Home'],
    spec: { threads: 8 },
    says: /a segment is locked and searched/,
  },
  {
    scenario: 'xa-gtid-99638',
    slider: 'XA clients',
    spec: { threads: 200 },
    says: /the GTIDs were saved and nobody looked/,
  },
  {
    scenario: 'binlog-purge-104615',
    slider: 'Old binary logs',
    keys: ['Home', 'ArrowRight', 'ArrowRight'],
    spec: { parameters: { old_binlogs_gib: 3 } },
    says: /LOCK_log is with .*, who waits for LOCK_index|A rotation waited for LOCK_index, holding LOCK_log/,
  },
];

for (const { scenario, slider, keys = ['ArrowLeft'], spec, says } of bugs) {
  // Component tests cover each drawing. That a slider starts a run works the same for all.
  const tag = scenario === 'fil-mutex-69276' ? [] : ['@long'];
  test(
    `the picture of ${scenario}: a key on its slider starts a run, and the picture shows that run`,
    { tag },
    async ({ page, explorer }) => {
      await explorer.open(`#v=1&scenario=${scenario}&platform=virtual`);
      await explorer.button('Story').click();
      const story = explorer.panel('The story');
      // A key press during a run ends it, and the next run starts.
      for (const key of keys) await story.getByRole('slider', { name: slider }).press(key);
      const resultSpec = () => page.evaluate(() => window.latchscope.state().result?.spec ?? null);
      await expect.poll(resultSpec).toMatchObject(spec);
      await expect(story.locator('.picture-words')).toHaveText(says);
      expect(await brokenRules(page, { part: '.story' })).toEqual([]);
      await story.getByRole('button', { name: 'Enlarge the picture' }).click();
      const large = page.getByRole('dialog', { name: 'The picture' });
      await expect(large.locator('.picture-words')).toHaveText(says);
      await large.getByText('The numbers of this picture').click();
      expect(await large.getByRole('row').count()).toBeGreaterThan(4);
      expect(await brokenRules(page, { part: 'dialog' })).toEqual([]);
      await expectToFit(page, [390, 1440]);
      await page.keyboard.press('Escape');
      await expect(large).toHaveCount(0);
    },
  );
}

test('a term in the story opens its glossary entry by key, and the focus returns', async ({
  page,
  explorer,
}) => {
  await explorer.open('#v=1&scenario=undo-read-117533&platform=virtual');
  await explorer.button('Story').click();
  const word = explorer.panel('The story').getByRole('button', { name: 'read views' });
  await word.focus();
  await page.keyboard.press('Enter');
  const glossary = page.getByRole('dialog', { name: 'Glossary' });
  await expect(glossary.getByRole('term').filter({ hasText: 'read view' })).toBeFocused();
  expect(await brokenRules(page, { part: 'dialog' })).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(word).toBeFocused();
});
