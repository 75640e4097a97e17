import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { all_scenarios } from '../../contract/all-scenarios';
import { EvidencePanel } from './evidence-panel';
import { sessionWithEvidence } from './test-fixtures';
import { showDrawnRun } from '../../session/test-fixtures/drawn-run';
import { renderView } from '../../widgets/test-fixtures/render-view';

const tab = (name: string) => screen.getByRole('tab', { name });

test('the forms are chosen by arrow keys, Home and End, and the form that is shown has the focus next', async () => {
  const { user } = renderView(sessionWithEvidence(), <EvidencePanel />);
  tab('Stacks').focus();
  await user.keyboard('{ArrowRight}');
  expect(screen.getByRole('tabpanel', { name: 'Latches' })).toBeVisible();
  await user.keyboard('{End}');
  expect(tab('Counters')).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('tabpanel', { name: 'Counters' })).toHaveFocus();
  tab('Counters').focus();
  await user.keyboard('{Home}');
  expect(tab('Stacks')).toHaveFocus();
});

test.each(all_scenarios.map(({ manifest }) => [manifest.bug, manifest] as const))(
  'of #%i the forms of its report come first, and the first one is shown',
  async (_bug, { id, evidence }) => {
    const session = sessionWithEvidence({ scenarios: all_scenarios });
    await session.openScenario(id);
    renderView(session, <EvidencePanel />);
    const [first] = screen.getAllByRole('tab');
    expect(first).toHaveAttribute('aria-selected', 'true');
    expect(evidence.length).toBeGreaterThan(0);
  },
);

test('for an opened result every form shows the data of the file, or says that there is none', async () => {
  const session = sessionWithEvidence();
  await showDrawnRun(session);
  const { user } = renderView(session, <EvidencePanel />);
  const shows: Record<string, RegExp> = {
    Stacks: /handle_one_connection/,
    Latches: /fil_system->mutex/,
    'Flame graph': /fil_space_get_version/,
    'Server log': /ready for connections/,
    sysbench: /time elapsed: +0\.0100s/,
    Counters: /block_reads/,
    CPU: /clients/,
    Reported: /240,000/,
  };
  for (const [title, text] of Object.entries(shows)) {
    await user.click(tab(title));
    expect(screen.getByRole('tabpanel', { name: title })).toHaveTextContent(text);
  }
});

test('sysbench’s interval lines and its final report have names of their own', async () => {
  const session = sessionWithEvidence();
  await showDrawnRun(session);
  const { user } = renderView(session, <EvidencePanel />);
  await user.click(tab('sysbench'));
  expect(screen.getByRole('list', { name: 'Interval lines' })).toBeVisible();
  expect(screen.getByLabelText('Final report')).toHaveTextContent(/time elapsed:/);
});

test('it can be widened, and made narrow again', async () => {
  const { user } = renderView(sessionWithEvidence(), <EvidencePanel />);
  const wide = screen.getByRole('button', { name: 'Wide' });
  await user.click(wide);
  expect(wide).toHaveAttribute('aria-pressed', 'true');
  expect(screen.getByRole('region', { name: 'Evidence' })).toHaveAttribute('data-is-wide', 'true');
  await user.click(wide);
  expect(wide).toHaveAttribute('aria-pressed', 'false');
});

test('a form that fails shows an error in its place; the others work', async () => {
  const session = sessionWithEvidence();
  await showDrawnRun(session);
  const { live } = session.store.getState();
  session.store.setState({ live: { ...live!, latch_rows: [null as never] } });
  const { user } = renderView(session, <EvidencePanel />);
  const complain = vi.spyOn(console, 'error').mockReturnValue();
  await user.click(tab('Latches'));
  expect(screen.getByRole('alert')).toHaveTextContent('“Latches” could not be shown.');
  expect(complain).toHaveBeenCalled();
  await user.click(tab('Stacks'));
  expect(within(screen.getByRole('tabpanel')).getAllByRole('listitem').length).toBeGreaterThan(0);
});
