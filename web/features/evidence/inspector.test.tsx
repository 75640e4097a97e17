import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { all_scenarios } from '../../contract/all-scenarios';
import type { HoldingThread, WaitingCause } from '../../contract/live-view';
import { Inspector } from './inspector';
import { inspectorTabs, showWhatIsSelected } from './evidence';
import { sessionWithEvidence } from './test-fixtures';
import {
  MUTEX,
  showDrawnRows,
  showDrawnRun,
  showDrawnRunPaused,
} from '../../session/test-fixtures/drawn-run';
import { textsOf } from '../../widgets/test-fixtures/reading';
import { renderView } from '../../widgets/test-fixtures/render-view';

const tab = (name: string) => screen.getByRole('tab', { name });
const panel = () => screen.getByRole('tabpanel');
const form = (name: string) => screen.getByRole('button', { name });

test('the tabs are chosen by arrow keys, Home and End, and the one that is shown has the focus next', async () => {
  const { user } = renderView(sessionWithEvidence(), <Inspector />);
  tab('Why').focus();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('tabpanel', { name: 'Latches' })).toBeVisible();
  await user.keyboard('{End}');
  expect(tab('Report')).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('tabpanel', { name: 'Report' })).toHaveFocus();
  tab('Report').focus();
  await user.keyboard('{Home}');
  expect(tab('Why')).toHaveFocus();
});

test.each(all_scenarios.map(({ manifest }) => [manifest.bug, manifest] as const))(
  'of #%i the tabs have the order that they have of every bug; a tab opens with the form of the bug’s report',
  async (_bug, { id, evidence }) => {
    const session = sessionWithEvidence({ scenarios: all_scenarios });
    await session.openScenario(id);
    const { user } = renderView(session, <Inspector />);
    expect(textsOf(screen.getAllByRole('tab'))).toEqual(['Why', 'Latches', 'Profile', 'Report']);
    expect(tab('Why')).toHaveAttribute('aria-selected', 'true');
    for (const { title, forms } of Object.values(inspectorTabs)) {
      await user.click(tab(title));
      const ofReport = evidence.find((one) => (forms as readonly string[]).includes(one));
      const shown = session.store.getState() as unknown as { evidence: { tab: string } };
      expect(shown.evidence.tab).toBe(ofReport ?? forms[0]);
    }
  },
);

test('for an opened result every form shows the data of the file, or says that there is none', async () => {
  const session = sessionWithEvidence();
  await showDrawnRun(session);
  const { user } = renderView(session, <Inspector chain={<p>the chain of a transaction</p>} />);
  const shows: [tab: string, form: string, text: RegExp][] = [
    ['Why', 'Summary', /fil_system->mutex/],
    ['Why', 'Chain', /the chain of a transaction/],
    ['Why', 'Blocked', /has no blocked stacks/],
    ['Latches', 'Latches', /fil_system->mutex/],
    ['Latches', 'Counters', /block_reads/],
    ['Profile', 'Stacks', /fil_space_get_version/],
    ['Profile', 'Flame graph', /fil_space_get_version/],
    ['Profile', 'CPU', /clients/],
    ['Report', 'Server log', /ready for connections/],
    ['Report', 'sysbench', /time elapsed: +0\.0100s/],
    ['Report', 'Reported', /240,000/],
    ['Report', 'Whole run', /invariants hold/],
  ];
  for (const [title, name, text] of shows) {
    await user.click(tab(title));
    await user.click(
      within(screen.getByRole('group', { name: `Views of ${title}` })).getByRole('button', { name }),
    );
    await waitFor(() => {
      expect(panel()).toHaveTextContent(text);
    });
  }
});

test('Why tells where the time goes, and the latch that costs most, which can be looked into', async () => {
  const session = sessionWithEvidence();
  showWhatIsSelected(session);
  await showDrawnRunPaused(session);
  const { live } = session.store.getState();
  const latchRows = live!.latch_rows.map((row) => (row.latch === MUTEX ? { ...row, cost_share: 1.1 } : row));
  session.store.setState({ live: { ...live!, latch_rows: latchRows } });
  const { user } = renderView(session, <Inspector />);
  expect(screen.getByRole('region', { name: 'Where client time goes' })).toHaveTextContent(/running/);
  const costliest = screen.getByRole('region', { name: 'Most expensive latch' });
  // More than all of the clients’ time, because server threads may wait for it, too.
  expect(costliest).toHaveTextContent(
    /110\.0\s% of client time is lost here in waits and stalls \(server threads included\)/,
  );
  await user.click(within(costliest).getByRole('button', { name: MUTEX }));
  const card = await screen.findByRole('region', { name: MUTEX });
  expect(card).toHaveTextContent('held byclient 0 in fil_space_get_version');
  await user.click(within(card).getByRole('button', { name: 'fil_space_get_version' }));
  const ofFunction = await screen.findByRole('region', { name: 'fil_space_get_version' });
  expect(ofFunction).toHaveTextContent('found in30 of 45 samples');
  expect(ofFunction).toHaveTextContent(`acquires${MUTEX}`);
  await user.click(within(ofFunction).getByRole('button', { name: /^Close/ }));
  expect(screen.queryByRole('region', { name: 'fil_space_get_version' })).toBeNull();
});

test('Why names the thread that holds clients up, and not only the latch where they queue', async () => {
  const session = sessionWithEvidence();
  await showDrawnRunPaused(session);
  const { live } = session.store.getState();
  const show = (cause: WaitingCause | null) => {
    session.store.setState({ live: { ...live!, blocked: { ...live!.blocked, cause } } });
  };
  const thread: HoldingThread = {
    is_client: true,
    state: 'sleeping',
    frames: ['Clone_Sys::wait', 'MYSQL_BIN_LOG::ordered_commit'],
    holds: ['LOCK_commit'],
  };
  show({ share: 0.86, latch: null, thread });
  renderView(session, <Inspector />);
  const cause = await screen.findByRole('region', { name: 'What holds clients up' });
  expect(cause).toHaveTextContent(
    /86\.0\s% of blocked clients wait, directly or behind others, for a client asleep in Clone_Sys::wait, which holds LOCK_commit\./,
  );
  show({ share: 0.5, latch: 'Fil_shard::m_mutex', thread: null });
  await waitFor(() => {
    expect(cause).toHaveTextContent(/for Fil_shard::m_mutex, whose holders run\./);
  });
  show(null);
  await waitFor(() => {
    expect(screen.queryByRole('region', { name: 'What holds clients up' })).toBeNull();
  });
});

test('what is selected in the charts is told, wherever the inspector stood', async () => {
  const session = sessionWithEvidence();
  showWhatIsSelected(session);
  await showDrawnRows(session);
  const { user } = renderView(session, <Inspector />);
  await user.click(tab('Report'));
  session.select({ kind: 'mark', number: 0 });
  const mark = await screen.findByRole('region', {
    name: /^Tablespace look-up: 68 shards by tablespace number/,
  });
  expect(tab('Why')).toHaveAttribute('aria-selected', 'true');
  expect(mark).toHaveTextContent('at10.00 ms');
  session.select({ kind: 'phase', fromS: 0 });
  expect(await screen.findByRole('region', { name: 'Phase: MySQL 5.6 (the bug)' })).toHaveTextContent(
    /transactions per second[\d,]+/,
  );
  session.select({
    kind: 'span',
    clientMoment: null,
    thread: 'client 1',
    words: 'client 1 waits for 3 µs',
    latch: MUTEX,
    fromNs: null,
  });
  expect(await screen.findByRole('region', { name: 'client 1' })).toHaveTextContent(
    'client 1 waits for 3 µs',
  );
  expect(panel()).toHaveTextContent('Acquired in:fil_space_get_version');
});

test('stacks are folded to where they differ, and unfolded on demand', async () => {
  const session = sessionWithEvidence();
  await showDrawnRun(session);
  const { user } = renderView(session, <Inspector />);
  await user.click(tab('Profile'));
  await user.click(form('Stacks'));
  const [first] = within(await screen.findByRole('list', { name: 'Aggregated thread stacks' })).getAllByRole(
    'listitem',
  );
  expect(first!.querySelector('.stack-differs')).toHaveTextContent('fil_space_get_version');
  expect(first).not.toHaveTextContent('handle_one_connection');
  await user.click(within(first!).getByRole('button', { name: 'show 2 common frames' }));
  expect(first).toHaveTextContent('handle_one_connection');
});

test('the promises of the server that a run has kept, or not, are told wherever the inspector stands', async () => {
  const session = sessionWithEvidence();
  await showDrawnRun(session);
  const { user } = renderView(session, <Inspector />);
  await user.click(screen.getByRole('button', { name: /^All \d+ invariants hold$/ }));
  expect(await screen.findByRole('region', { name: 'Whole run' })).toBeVisible();
  const { result } = session.store.getState();
  const [first, ...others] = result!.invariants;
  session.store.setState({ result: { ...result!, invariants: [{ ...first!, ok: false }, ...others] } });
  expect(await screen.findByRole('button', { name: /^1 of \d+ invariants are broken$/ })).toBeVisible();
});

test('sysbench’s interval lines and its final report have names of their own', async () => {
  const session = sessionWithEvidence();
  await showDrawnRun(session);
  const { user } = renderView(session, <Inspector />);
  await user.click(tab('Report'));
  await user.click(form('sysbench'));
  expect(await screen.findByRole('list', { name: 'Interval lines' })).toBeVisible();
  expect(screen.getByLabelText('Final report')).toHaveTextContent(/time elapsed:/);
});

test('it can be widened, and made narrow again', async () => {
  const { user } = renderView(sessionWithEvidence(), <Inspector />);
  const wide = screen.getByRole('button', { name: 'Wide' });
  await user.click(wide);
  expect(wide).toHaveAttribute('aria-pressed', 'true');
  expect(screen.getByRole('region', { name: 'Inspector' })).toHaveAttribute('data-is-wide', 'true');
  await user.click(wide);
  expect(wide).toHaveAttribute('aria-pressed', 'false');
});

test('a form that fails shows an error in its place; the others work', async () => {
  const session = sessionWithEvidence();
  await showDrawnRun(session);
  const { user } = renderView(session, <Inspector />);
  await user.click(tab('Latches'));
  await screen.findByRole('table');
  const complain = vi.spyOn(console, 'error').mockReturnValue();
  const { live } = session.store.getState();
  session.store.setState({ live: { ...live!, latch_rows: [null as never] } });
  expect(await screen.findByRole('alert')).toHaveTextContent('“Latches” could not be shown.');
  expect(complain).toHaveBeenCalled();
  await user.click(tab('Profile'));
  await user.click(form('Stacks'));
  expect((await within(panel()).findAllByRole('listitem')).length).toBeGreaterThan(0);
});
