import { expect, minimal_spec, SCENARIO, test } from './explorer';

const start = `#v=1&scenario=${SCENARIO}`;

const bad_links: [what: string, fragment: string, message: string][] = [
  ['nonsense', '#hello=world', 'hello is world; allowed: only the fields v, view'],
  [
    'a newer version',
    `#v=7&scenario=${SCENARIO}`,
    'v is 7; allowed: 1 (a newer Latchscope has written this)',
  ],
  ['an older version', `#v=0&scenario=${SCENARIO}`, 'v is 0; allowed: 1'],
  [
    'an unknown scenario',
    '#v=1&scenario=nothing',
    `scenario is nothing; allowed: one of ${SCENARIO}, aio-wakeup-95491`,
  ],
  [
    'an unknown knob',
    `${start}&design.purge_by=x`,
    'design.purge_by is x; allowed: one of tablespace_lookup, buffer_pool_mutex',
  ],
  [
    'an unknown variant',
    `${start}&design.tablespace_lookup=magic`,
    'design.tablespace_lookup is magic; allowed: one of global_mutex, release_by_pointer',
  ],
  ['an unknown parameter', `${start}&parameters.colour=3`, 'parameters.colour is 3; allowed: one of tables'],
  [
    'a parameter out of range',
    `${start}&parameters.tables=65`,
    'parameters.tables is 65; allowed: an integer from 1 to 64',
  ],
  ['more clients than threads', `${start}&threads=65`, 'threads is 65; allowed: an integer from 1 to 64'],
  ['a broken action', `${start}&at=1:dance`, 'actions[0].action is dance; allowed: one of grow_buffer_pool'],
];

test('a bad link is explained, and the page can be used', async ({ explorer, page }) => {
  await explorer.open(bad_links[0]![1]);
  for (const [what, fragment, message] of bad_links) {
    await test.step(what, async () => {
      await page.evaluate((hash) => (location.hash = hash), fragment);
      await expect(page.getByRole('alert')).toContainText(message);
      await expect(explorer.button('Run')).toBeEnabled();
    });
  }
});

test('after a bad link the defaults run', async ({ explorer, page }) => {
  await explorer.open(`${start}&threads=1000`);
  await explorer.start();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await explorer.stop();
});

test('a link that is edited in the address bar is read at once', async ({ explorer, page }) => {
  await explorer.open();
  await page.evaluate((hash) => (location.hash = hash), `${start}&threads=0`);
  await expect(page.getByRole('alert')).toContainText('threads is 0');
  await page.evaluate((hash) => (location.hash = hash), `${start}&threads=5`);
  await expect(page.getByRole('spinbutton', { name: 'Clients' })).toHaveValue('5');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('a bad parameter is named at its field, and nothing starts', async ({ explorer, page }) => {
  await explorer.open();
  const tables = page.getByRole('spinbutton', { name: 'Tables' });
  await explorer.write(tables, '65');
  await expect(tables).toHaveAccessibleDescription('must be an integer from 1 to 64');
  await expect(tables).toHaveAttribute('aria-invalid', 'true');
  await expect(explorer.button('Run')).toBeDisabled();
  await explorer.button('Run').click({ force: true });
  await explorer.expectRunState('idle');
  await explorer.write(tables, '8');
  await expect(explorer.button('Run')).toBeEnabled();
});

test('parameters that do not go together are named too', async ({ explorer, page }) => {
  await explorer.open();
  await explorer.write(page.getByRole('spinbutton', { name: 'Tables' }), '64');
  const rows = page.getByRole('spinbutton', { name: 'Rows per table' });
  await explorer.write(rows, '100000');
  await expect(page.locator('.hint-error').first()).toContainText('must be');
  await expect(explorer.button('Run')).toBeDisabled();
});

const bad_specs: [what: string, spec: object, field: string][] = [
  ['an unknown field', { ...minimal_spec, colour: 1 }, 'colour'],
  ['too many clients', { ...minimal_spec, threads: 65 }, 'threads'],
  ['a wrong duration', { ...minimal_spec, duration_s: 0 }, 'duration_s'],
];

test('window.latchscope.run refuses a bad spec by field', async ({ explorer, page }) => {
  await explorer.open();
  for (const [what, spec, field] of bad_specs) {
    const errors = await page.evaluate(async (given) => {
      try {
        await window.latchscope.run(given);
        return null;
      } catch (error) {
        return (error as { errors: unknown }).errors;
      }
    }, spec);
    expect(errors, what).toMatchObject([{ field }]);
    await explorer.expectRunState('idle');
  }
});

test('a bad value of your own server is named at its field, and nothing starts', async ({
  explorer,
  page,
}) => {
  await explorer.open(`${start}&platform=virtual`);
  await page.getByText('Your own server').click();
  const pause = page.getByRole('spinbutton', { name: 'PAUSE' });
  await expect(pause).toHaveAccessibleDescription(/^1,000 to 100,000 ps One PAUSE instruction.* Source: /);
  await explorer.write(pause, '100001');
  await expect(pause).toHaveAccessibleDescription(/^must be an integer from 1000 to 100000 /);
  await expect(pause).toHaveAttribute('aria-invalid', 'true');
  await expect(explorer.button('Run')).toBeDisabled();
  await explorer.button('Run').click({ force: true });
  await explorer.expectRunState('idle');
  await explorer.write(pause, '9000');
  await expect(explorer.button('Run')).toBeEnabled();
  await expect(page).toHaveURL(/server=snb-ep-2013&server\.pause_ps=9000/);
  await page.getByRole('combobox', { name: 'After' }).selectOption('xeon-2020');
  await expect(pause).not.toHaveValue('9000');
});

test('a bad virtual run is refused by field', async ({ explorer, page }) => {
  await explorer.open();
  const bad: [change: object, field: string][] = [
    [{ server: 'pdp-11' }, 'server'],
    [{ server: { based_on: 'xeon-2020', pause_ps: 1 } }, 'server.pause_ps'],
    [{ threads: 1025 }, 'threads'],
  ];
  for (const [change, field] of bad) {
    const errors = await page.evaluate(
      (given) =>
        window.latchscope.run(given).then(
          () => null,
          (error: unknown) => (error as { errors: unknown }).errors,
        ),
      { ...minimal_spec, platform: 'virtual', ...change },
    );
    expect(errors).toMatchObject([{ field }]);
  }
  await explorer.expectRunState('idle');
  await expect(explorer.platform('This machine')).toBeChecked();
});
