import { expect, SCENARIO, test } from './explorer';

const LINK = `#v=1&scenario=${SCENARIO}&platform=virtual&threads=16&duration_s=0.01&interval_s=0.005`;
const LATCH = 'fil_system->mutex';

test('a latch whose hand-over is free is chosen with keys, run and told', async ({ explorer, page }) => {
  await explorer.open(LINK);
  await page.locator('details.settings > summary').press('Enter');
  const latch = page.getByRole('combobox', { name: 'Latch' });
  await latch.focus();
  await page.keyboard.type(LATCH);
  await expect(latch).toHaveValue(LATCH);
  await page.getByRole('combobox', { name: 'Hand-over' }).press('End');
  await expect(page.getByRole('status', { name: 'What the next run supposes' })).toHaveText(
    `Next run: ${LATCH}: hand-over free.`,
  );
  await expect
    .poll(() => decodeURIComponent(page.url()))
    .toContain(`what_if.latch=${LATCH};section_percent=100;hand_over=free`);
  await explorer.button('Run').press('Enter');
  await explorer.expectRunState('finished');
  const result = await page.evaluate(() => window.latchscope.state().result!);
  expect(result.spec.what_if).toEqual({
    latches: [{ latch: LATCH, section_percent: 100, hand_over: 'free' }],
  });
  await expect(page.getByRole('note', { name: 'What if' })).toHaveText(`What if ${LATCH}: hand-over free`);
  await explorer.evidence('Reported');
  await expect(explorer.panel('Reported and here')).toContainText('Not compared');
});
