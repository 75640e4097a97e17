// Tests that invalid input is reported and that the defaults then run.
import { expect, expectSoundRun, minimalSpec, SCENARIO, test } from './explorer';

const START = `#v=1&scenario=${SCENARIO}`;

test('errors in a link, in combined fields and in a script are reported; then the defaults run', async ({
  explorer,
  page,
}) => {
  await explorer.open(`${START}&threads=1000`);
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('threads is 1000; allowed: an integer from 1 to 64');
  await page.evaluate((hash) => (location.hash = hash), '#hello=world');
  await expect(alert).toContainText('hello is world; allowed: only v, view');
  await page.evaluate((hash) => (location.hash = hash), `${START}&threads=5`);
  await explorer.openSettings();
  await expect(page.getByRole('spinbutton', { name: 'Clients' })).toHaveValue('5');
  await expect(alert).toHaveCount(0);

  // Only the engine can detect fields that contradict each other.
  const tables = page.getByRole('spinbutton', { name: 'Tables' });
  const rows = page.getByRole('spinbutton', { name: 'Rows per table' });
  await explorer.write(tables, '64');
  await explorer.write(rows, '100000');
  await expect(page.locator('.hint-error').first()).toContainText('must be');
  await expect(explorer.button('Run')).toBeDisabled();
  await explorer.button('Run').click({ force: true });
  await explorer.expectRunState('idle');

  const errors = await page.evaluate(
    (spec) =>
      window.latchscope.run(spec).then(
        () => null,
        (error: unknown) => (error as { errors: unknown }).errors,
      ),
    { ...minimalSpec, duration_s: 0 },
  );
  expect(errors).toMatchObject([{ field: 'duration_s' }]);
  await explorer.write(tables, '2');
  await explorer.write(rows, '10000');
  await explorer.start();
  await expect(alert).toHaveCount(0);
  expectSoundRun(await explorer.stop());
});
