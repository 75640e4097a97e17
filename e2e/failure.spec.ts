import { expect, expectSoundRun, test } from './explorer';

test.describe('an engine that stops with an assertion', () => {
  for (const when of ['while it runs', 'before anything has run']) {
    test(`is explained and replaced: ${when}`, async ({ explorer, page }) => {
      await explorer.open();
      if (when === 'while it runs') await explorer.start();
      await page.evaluate(() => window.latchscope.failForTest());
      const notice = page.getByRole('alert');
      await expect(notice).toContainText('The engine stopped');
      await expect(notice).toContainText('this assertion fails to test its host');
      await explorer.expectRunState('idle');

      await explorer.start();
      await expect(notice).toHaveCount(0);
      expectSoundRun(await explorer.stop());
    });
  }

  test('lets go of those who wait for the run', async ({ explorer, page }) => {
    await explorer.open();
    const run = page.evaluate(() => window.latchscope.run({ version: 1, scenario: 'fil-mutex-69276' }));
    const refused = expect(run).rejects.toThrow(/this assertion fails to test its host/);
    await explorer.expectRunState('running');
    await page.evaluate(() => window.latchscope.failForTest());
    await refused;
  });
});
