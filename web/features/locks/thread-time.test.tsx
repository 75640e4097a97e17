import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { locksFeature } from './index';
import { locksCommands } from './locks';
import { Locks } from './locks-state';
import { ThreadTime } from './thread-time';

function shown(missingVirtual = false) {
  const missing = { threads: [], virtual: missingVirtual ? [{ explanation: 'no WebAssembly' }] : [] };
  const session = sessionForTest({ features: [locksFeature], missing: missing as never });
  const locks = new Locks();
  session.commands.register(locksCommands(locks, session));
  const startRun = vi.spyOn(session, 'startRun').mockResolvedValue();
  const view = (
    <>
      <ThreadTime />
    </>
  );
  return { session, startRun, ...renderView(session, view, { locks }) };
}

const button = () => screen.getByRole('button', { name: 'Run on the virtual server' });

test('on real threads nothing is drawn; the page says why and runs the same on the virtual server', async () => {
  const { session, startRun, user } = shown();
  expect(session.store.getState().draft.platform).toBe('threads');
  expect(document.querySelector('canvas')).toBeNull();
  expect(screen.getByText(/^The latch track needs the virtual server: on real threads/)).toBeVisible();
  const { actions, knobs } = session.store.getState().scenario.manifest;
  const [knob] = knobs;
  session.editDraft({
    threads: 3,
    seed: 11,
    duration_s: 10,
    design: { ...session.store.getState().draft.design, [knob!.id]: knob!.variants[1]!.id },
    actions: [{ at_s: 5, action: actions[0]!.id }],
  });
  await user.click(button());
  expect(startRun).toHaveBeenCalledWith(
    expect.objectContaining({
      platform: 'virtual',
      scenario: session.store.getState().draft.scenario,
      threads: 3,
      seed: 11,
      design: session.store.getState().draft.design,
      // A sample of virtual time represents a second.
      interval_s: 0.02,
      duration_s: 0.2,
      actions: [{ at_s: 0.1, action: actions[0]!.id }],
    }),
  );
});

test('a page that cannot run the virtual server does not offer it', async () => {
  const { startRun, user } = shown(true);
  expect(button()).toHaveAttribute('aria-disabled', 'true');
  await user.click(button());
  expect(startRun).not.toHaveBeenCalled();
});
