import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { all_scenarios } from '../contract/all-scenarios';
import { fil_mutex, machine, scenarios, undo_read } from '../contract/test-fixtures';
import { firstRunLink, parseLink } from '../session/link';
import { fakeEngines } from '../session/test-fixtures/session-for-test';
import { allLinkFields } from './page-fixture';
import { renderPage } from './test-fixtures/render-page';

const fixed = /^A guard in 64 shards and a page fix/;
const link = (fragment: string) => parseLink(fragment, scenarios, machine, allLinkFields);
const button = (name: string | RegExp) => screen.getByRole('button', { name });
const runState = { selector: '[role=status]' };
const region = (name: string) => screen.queryByRole('region', { name });

test('the start page has no bar of a run', () => {
  renderPage();
  expect(screen.getByRole('heading', { level: 1, name: 'Latchscope' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Run' })).toBeNull();
  expect(screen.queryByRole('navigation', { name: 'Views' })).toBeNull();
});

test('the first visit of a bug says what is wrong and runs nothing by itself', async () => {
  const { session, state } = renderPage();
  await session.openScenario(fil_mutex.manifest.id);
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('#69276');
  expect(await screen.findByRole('region', { name: /^What is wrong in MySQL/ })).toHaveTextContent(
    'takes one server-wide mutex',
  );
  expect(screen.getByRole('radio', { name: /^One global mutex, six times a read/ })).toBeChecked();
  expect(state()).toMatchObject({ run_state: 'idle', runLock: 'none' });
  expect(screen.getAllByText('–').length).toBeGreaterThan(3);
});

test('the switch opens every bug, with its own design, actions and reported figures', async () => {
  const { session, user } = renderPage({ scenarios: all_scenarios });
  session.openView('explorer');
  const bugSwitch = await screen.findByRole('combobox', { name: 'Bug' });
  for (const { manifest } of all_scenarios.toReversed()) {
    await user.selectOptions(bugSwitch, manifest.id);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(`#${manifest.bug}`);
    for (const { question } of manifest.knobs)
      expect(await screen.findByRole('group', { name: question })).toBeVisible();
    for (const { title } of manifest.actions) expect(button(title)).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getAllByRole('tab')[0]).toHaveAttribute('aria-selected', 'true');
    await user.click(screen.getByRole('tab', { name: 'Report' }));
    await user.click(screen.getByRole('button', { name: 'Reported' }));
    expect(await screen.findByRole('region', { name: 'Reported vs. here' })).toHaveTextContent(
      manifest.reported[0]!.figure,
    );
  }
});

test('the lesson and the story take the left side, one of them at a time, and give it back', async () => {
  const { session, user } = renderPage();
  await session.openScenario(fil_mutex.manifest.id);
  await user.click(await screen.findByRole('button', { name: 'Story' }));
  const story = await screen.findByRole('region', { name: 'The story' });
  expect(story).toHaveTextContent(fil_mutex.manifest.what_is_wrong);
  await user.click(screen.getByRole('button', { name: 'Lesson' }));
  expect(await screen.findByText('Step 1 of', { exact: false })).toBeVisible();
  expect(region('The story')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Story' }));
  expect(await screen.findByRole('region', { name: 'The story' })).toBeVisible();
  expect(screen.queryByText('Step 1 of', { exact: false })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Close story' }));
  expect(region('The story')).toBeNull();
});

test('the drawer tells the parameters in a line, and a fault opens it', async () => {
  const { session } = renderPage();
  await session.openScenario(fil_mutex.manifest.id);
  const drawer = (await screen.findByText('Parameters', { selector: 'strong' })).closest('details')!;
  expect(drawer.open).toBe(false);
  expect(drawer).toHaveTextContent(/\d+ clients/);
  session.editDraft({ threads: 0 });
  await waitFor(() => expect(drawer.open).toBe(true));
});

describe('a link', () => {
  test.each([
    ['hello=world', 'hello is world; allowed: only v, view'],
    ['v=7&scenario=fil-mutex-69276', 'v is 7; allowed: 1 (written by a newer Latchscope)'],
    ['v=1&scenario=nothing', 'scenario is nothing; allowed: one of fil-mutex-69276'],
    ['v=1&scenario=fil-mutex-69276&threads=65', 'threads is 65; allowed: an integer from 1 to 64'],
    ['v=1&scenario=undo-read-117533&lesson=8', 'allowed: 1 to 7'],
    ['v=1&view=lab&scenario=fil-mutex-69276&lab.latch=nosuch', 'lab.latch is nosuch; allowed: one of '],
  ])('that is wrong is explained, and the page can be used: %s', async (fragment, message) => {
    const { session } = renderPage();
    await session.openLink(link(fragment));
    expect(await screen.findByRole('alert')).toHaveTextContent(message);
    expect(screen.getByRole('alert')).toHaveTextContent('This link is invalid; the page shows the defaults.');
    expect(button('Run')).toHaveAttribute('aria-disabled', 'false');
  });

  test('that is wrong leaves the defaults, which can run; a good one removes the error', async () => {
    const { loaders } = fakeEngines();
    const { session, user, state } = renderPage({ loaders });
    await session.openLink(link('v=1&scenario=fil-mutex-69276&threads=1000'));
    await user.click(button('Run'));
    await waitFor(() => expect(state().run_state).toBe('running'));
    expect(screen.queryByRole('alert')).toBeNull();
    await session.stop();
    await session.openLink(link('v=1&scenario=fil-mutex-69276&threads=0'));
    expect(await screen.findByRole('alert')).toHaveTextContent('threads is 0');
    await session.openLink(link('v=1&scenario=fil-mutex-69276&threads=5'));
    expect(screen.getByRole('spinbutton', { name: 'Clients' })).toHaveValue(5);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('opens a lesson at its step', async () => {
    const { session } = renderPage();
    await session.openLink(link('v=1&scenario=undo-read-117533&platform=virtual&lesson=4'));
    expect(await screen.findByRole('region', { name: 'Step: Explain' })).toBeVisible();
  });
});

describe('the first run', () => {
  const opened = async (cores: number) => {
    const page = renderPage({ ...fakeEngines(), machine: { ...machine, cores } });
    const firstRun = parseLink(firstRunLink(undo_read.manifest.id), scenarios, { ...machine, cores });
    await page.session.openLink(firstRun);
    await waitFor(() => expect(page.state().run_state).toBe('running'));
    return page;
  };

  test('is on the virtual server if there are too few cores, says so, and can be healed', async () => {
    const { user } = await opened(2);
    expect(screen.getByRole('radio', { name: 'Virtual server' })).toBeChecked();
    const note = region('First run')!;
    expect(note).toHaveTextContent('This machine has 2 cores; this bug needs about 8 cores to show.');
    await user.click(within(note).getByRole('button', { name: 'Switch to fixed design' }));
    expect(await screen.findByRole('radio', { name: fixed })).toBeChecked();
    await user.click(within(note).getByRole('button', { name: 'Close note' }));
    expect(region('First run')).toBeNull();
  });

  test('is on a machine that has enough of them; its note is about this platform only', async () => {
    const { user } = await opened(8);
    expect(screen.getByRole('radio', { name: 'This machine' })).toBeChecked();
    expect(region('First run')).not.toHaveTextContent('cores');
    await user.click(screen.getByRole('radio', { name: 'Virtual server' }));
    await waitFor(() => expect(region('First run')).toBeNull());
  });
});

describe('a run', () => {
  async function running() {
    const { engines, loaders } = fakeEngines();
    const page = renderPage({ loaders });
    await page.session.openScenario(fil_mutex.manifest.id);
    await page.user.click(await screen.findByRole('button', { name: 'Run' }));
    await screen.findByText('running', runState);
    return { ...page, engines };
  }

  test('is led by one button that keeps the focus, and ended by another', async () => {
    const { user } = await running();
    expect(button('Pause')).toHaveFocus();
    await user.keyboard('{Enter}');
    await screen.findByText('paused', runState);
    expect(button('Resume')).toHaveFocus();
    await user.keyboard('{Enter}');
    await screen.findByText('running', runState);
    await user.tab();
    expect(button('Stop')).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(await screen.findByText('finished', runState)).toBeVisible();
  });

  test('presets turn every knob', async () => {
    const { user } = await running();
    const fixed = within(screen.getByRole('group', { name: 'Presets' })).getByRole('button', {
      name: /\(the fix\)/,
    });
    await user.click(fixed);
    expect(await screen.findByRole('radio', { name: /^One atomic word per tablespace/ })).toBeChecked();
    expect(fixed).toHaveAttribute('aria-pressed', 'true');
  });

  test('an engine that fails is explained and replaced, and the next run takes the notice away', async () => {
    const { user, engines } = await running();
    engines[0]!.fail('this assertion fails to test its host');
    const notice = await screen.findByRole('alert');
    expect(notice).toHaveTextContent('The engine stopped. this assertion fails to test its host');
    await waitFor(() => expect(notice).toHaveTextContent('A new engine is ready. Press Run.'));
    expect(engines).toHaveLength(2);
    expect(engines[0]!.isTerminated).toBe(true);
    await user.click(button('Run'));
    await screen.findByText('running', runState);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('another bug stops it, says so, and shows nothing of it', async () => {
    const { user, state, session } = await running();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Bug' }), undo_read.manifest.id);
    expect(await screen.findByText('Run of bug #69276 stopped')).toBeVisible();
    expect(state()).toMatchObject({ run_state: 'idle', live: null, marks: [], spec: null });
    expect(session.history.length).toBe(0);
    expect(button('Run')).toHaveAttribute('aria-disabled', 'false');
  });

  test('goes on behind the start page, to which the name leads', async () => {
    const { user, state } = await running();
    await user.click(screen.getByRole('link', { name: 'Latchscope, start page' }));
    expect(screen.getByRole('list', { name: 'Bugs' })).toBeVisible();
    expect(state().run_state).toBe('running');
  });

  test('is stopped by a result that is opened', async () => {
    const { session, engines } = await running();
    const { undo_result } = await import('../contract/run-result-fixtures');
    await session.files.openResult(JSON.stringify(undo_result), 'undo.json');
    expect(await screen.findByRole('region', { name: 'Opened from a file' })).toBeVisible();
    expect(engines[0]!.runState).toBe('finished');
  });
});

test('a page that cannot run threads falls back to the virtual server and says why, and what to do', async () => {
  const missing = {
    capability: 'Isolation',
    explanation: 'The page is not isolated.',
    remedy: 'Use npm start.',
  };
  const { session } = renderPage({
    machine: { cores: 4, platforms: ['virtual'] },
    missing: { threads: [missing], virtual: [] },
  });
  await session.openScenario(fil_mutex.manifest.id);
  const notice = await screen.findByRole('region', { name: 'Fallback to the virtual server' });
  expect(notice).toHaveTextContent('The page is not isolated. Use npm start.');
  expect(screen.getByRole('radio', { name: 'Virtual server' })).toBeChecked();
  expect(screen.getByRole('radio', { name: 'This machine' })).toBeDisabled();
  expect(screen.getByRole('radio', { name: 'This machine' })).toHaveAccessibleDescription(
    'The page is not isolated.',
  );
  expect(screen.queryByRole('alert')).toBeNull();
});
