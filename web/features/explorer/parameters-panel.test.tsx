import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { defaultRunSpec } from '../../contract/run-spec';
import { fil_mutex, machine } from '../../contract/test-fixtures';
import { ParametersPanel } from './settings-drawer';
import { fakeEngines, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { CommandButton } from '../../widgets/command-button';
import { renderView } from '../../widgets/test-fixtures/render-view';

const field = (name: string) => screen.getByRole('spinbutton', { name });
const run = () => screen.getByRole('button', { name: 'Run' });
const view = (
  <>
    <CommandButton command="run.start" />
    <ParametersPanel />
  </>
);

test('a bad parameter is named at its field, and nothing starts', async () => {
  const { engines, loaders } = fakeEngines();
  const session = sessionForTest({ loaders });
  const { user } = renderView(session, view);
  await user.clear(field('Tables'));
  await user.type(field('Tables'), '65');
  expect(field('Tables')).toHaveAccessibleDescription('must be an integer from 1 to 64');
  expect(field('Tables')).toBeInvalid();
  expect(run()).toHaveAttribute('aria-disabled', 'true');
  await user.click(run());
  expect(engines).toEqual([]);
  expect(session.store.getState()).toMatchObject({ run_state: 'idle', runLock: 'none' });
  await user.clear(field('Tables'));
  await user.type(field('Tables'), '8');
  expect(field('Tables')).toBeValid();
  expect(field('Tables')).toHaveAccessibleDescription('1 to 64 tables');
  expect(run()).toHaveAttribute('aria-disabled', 'false');
});

test('what the engine finds wrong with parameters that do not go together is named at its field, too', async () => {
  const { engines, loaders } = fakeEngines();
  const session = sessionForTest({ loaders });
  await session.engine();
  engines[0]!.checkErrors = JSON.stringify([
    { field: 'parameters.rows_per_table', value: '100000', allowed: '51200 or less with 64 tables' },
  ]);
  const { user } = renderView(session, view);
  await user.clear(field('Tables'));
  await user.type(field('Tables'), '64');
  await waitFor(() => {
    expect(field('Rows per table')).toHaveAccessibleDescription('must be 51200 or less with 64 tables');
  });
  expect(run()).toHaveAttribute('aria-disabled', 'true');
});

test('parameters changed during a run are for the next one, and the panel says so', async () => {
  const session = sessionForTest();
  const spec = defaultRunSpec(fil_mutex.manifest, machine);
  const { user } = renderView(session, view);
  const panel = screen.getByRole('region', { name: 'Parameters' });
  expect(panel).toHaveTextContent('next run');
  session.store.setState({ spec, run_state: 'running' });
  await waitFor(() => {
    expect(panel).toHaveTextContent('next run');
  });
  await user.clear(field('Tables'));
  await user.type(field('Tables'), '3');
  expect(panel).toHaveTextContent('next run, changed');
  expect(session.store.getState().spec).toBe(spec);
});

test('what a link lets the next run do by itself stands there in words, with its faults, and can be left out', async () => {
  const session = sessionForTest();
  const { user } = renderView(session, view);
  expect(screen.queryByRole('region', { name: 'Timed actions' })).toBeNull();
  act(() => {
    session.editDraft({
      actions: [
        { at_s: 1, action: 'one_table' },
        { at_s: 2.5, knob: 'tablespace_lookup', variant: 'atomic_word' },
      ],
    });
  });
  const listed = screen.getByRole('region', { name: 'Timed actions' });
  expect(within(listed).getAllByRole('listitem').map(textOf)).toEqual([
    'Read one table only at 1.0 s',
    'Tablespace look-up: One atomic word per tablespace at 2.5 s',
  ]);
  act(() => session.editDraft({ duration_s: 2 }));
  expect(listed).toHaveTextContent('at most 2, the end of the run (duration_s)');
  expect(run()).toHaveAttribute('aria-disabled', 'true');
  await user.click(screen.getByRole('button', { name: 'Remove timed actions' }));
  expect(screen.queryByRole('region', { name: 'Timed actions' })).toBeNull();
  expect(run()).toHaveAttribute('aria-disabled', 'false');
});

const textOf = (element: HTMLElement) => element.textContent;
