import { act, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { fil_mutex } from '../../contract/test-fixtures';
import CompareView from './compare-view';
import { plannedExperiment } from './experiments';
import { experimentsWith } from './test-fixtures';
import { renderView } from '../../widgets/test-fixtures/render-view';

const panel = (name: string) => screen.findByRole('region', { name });
const startButton = () => screen.getByRole('button', { name: 'Compare' });

function shown(...given: Parameters<typeof experimentsWith>) {
  const page = experimentsWith(...given);
  const view = (
    <>
      <CompareView />
    </>
  );
  return { ...page, ...renderView(page.session, view, { experiments: page.experiments }) };
}

test('before the first run it says what will be compared; afterwards which design is faster, with each repeat', async () => {
  const { user, experiments, saved } = shown();
  expect(await panel('No comparison yet')).toHaveTextContent(
    'MySQL 5.6 (the bug) (A) and One atomic word (the fix) (B)',
  );
  experiments.editComparison({ repeats: 3 });
  await user.click(startButton());
  const verdict = await panel('Verdict');
  expect(verdict).toHaveTextContent('B is faster');
  expect(verdict).toHaveTextContent(
    /\(the fix\) is 3 times as fast as MySQL 5\.6 \(the bug\) \(.*3 seeds\)\./,
  );
  const repeats = within(await panel('Repeats'));
  expect(repeats.getByRole('rowheader', { name: 'seed 3' })).toBeVisible();
  expect(
    screen.getByRole('img', { name: /Transactions per second of One atomic word \(the fix\) over time/ }),
  ).toBeVisible();
  await user.click(within(verdict).getByRole('button', { name: 'Save CSV' }));
  expect(saved).toEqual(['latchscope-fil-mutex-69276-comparison.csv']);
});

test('cancel keeps the finished runs', async () => {
  let letGoOn: () => void = () => undefined;
  const thirdRun = new Promise<void>((resolve) => (letGoOn = resolve));
  const { user, state } = shown((number) => (number === 3 ? thirdRun : undefined));
  await user.click(startButton());
  expect(await screen.findByText(/^runs done/, { selector: '.batch-progress p' })).toHaveTextContent(
    /^2 of 10 runs done; about .* left$/,
  );
  expect(await panel('So far')).toHaveTextContent('2 of 10 runs');
  await user.click(screen.getByRole('button', { name: 'Cancel and keep results' }));
  expect(screen.getByText('Stopping …')).toBeVisible();
  letGoOn();
  expect(await panel('Verdict')).toHaveTextContent(/\d of 10 runs/);
  expect(state().announcement).toMatch(/^Comparison cancelled after \d of 10 runs$/);
  expect(within(await panel('Repeats')).getByRole('rowheader', { name: 'seed 1' })).toBeVisible();
  expect(startButton()).toHaveAttribute('aria-disabled', 'false');
});

test('a bad number of repeats is named at its field, and nothing starts', async () => {
  const { user, runs } = shown();
  const seeds = screen.getByRole('spinbutton', { name: 'Seeds' });
  await user.type(seeds, '0');
  expect(seeds).toBeInvalid();
  expect(screen.getByRole('alert')).toHaveTextContent(/^repeats is 0; allowed:/);
  expect(startButton()).toHaveAttribute('aria-disabled', 'true');
  await user.click(startButton());
  expect(runs()).toBe(0);
});

const BUG = 'MySQL 5.6 (the bug)';
const FIX = 'One atomic word (the fix)';

const namesIn = (list: HTMLElement) =>
  within(list)
    .getAllByRole('option')
    .map((option) => option.textContent);

test('a design is never offered against itself: whoever turns A to the fixed one compares it with the original', async () => {
  const { user } = shown();
  const [a, b] = ['Design A', 'Design B'].map((name) => screen.getByRole('combobox', { name })) as [
    HTMLElement,
    HTMLElement,
  ];
  expect(namesIn(a)).toContain(BUG);
  expect(namesIn(a)).not.toContain(FIX);
  expect(namesIn(b)).not.toContain(BUG);
  const oneLookup = namesIn(a).find((name) => name.startsWith('One look-up'))!;
  await user.selectOptions(b, oneLookup);
  await user.selectOptions(a, FIX);
  expect(namesIn(a)).not.toContain(oneLookup);
  expect(namesIn(b)).not.toContain(FIX);
});

test('with the fixed design as A, B is the original until another one is chosen', () => {
  const page = experimentsWith();
  const { manifest } = fil_mutex;
  page.session.editDraft({ design: manifest.designs.fixed! });
  const plan = plannedExperiment(page.state(), 'comparison');
  expect(plan).toMatchObject({ ok: true, value: { designs: [{ title: FIX }, { title: BUG }] } });
  page.experiments.editComparison({ with: manifest.designs.fixed! });
  expect(plannedExperiment(page.state(), 'comparison')).toEqual({
    ok: false,
    errors: [{ field: 'with', value: FIX, allowed: 'a design that differs from A' }],
  });
});

test('a gray button says why', async () => {
  const { store } = shown();
  expect(screen.queryByText('A run is still active. Stop it first.')).toBeNull();
  act(() => store.setState({ runLock: 'going' }));
  expect(await screen.findByText('A run is still active. Stop it first.')).toBeVisible();
  expect(startButton()).toHaveAttribute('aria-disabled', 'true');
});
