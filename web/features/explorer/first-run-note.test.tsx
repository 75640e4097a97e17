import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import { fil_mutex } from '../../contract/test-fixtures';
import { pauseMark } from '../../engine-client/test-fixtures/pause-mark';
import { History } from '../../recording/history';
import { runMark } from '../../recording/run-marks';
import { scenarioCommands } from '../../session/commands';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { FirstRunNote } from './first-run-note';

const previousRun = {
  ...{ history: new History(), design: 'original', threads: 54, phases: [], whatIf: null },
  kind: 'recorded' as const,
};

test('the pale line is said to be this run until something is done by hand, or the run is over', () => {
  const session = sessionForTest();
  session.commands.register(scenarioCommands(session));
  // The shell's command.
  const dismiss = {
    id: 'first_run.dismiss',
    title: 'Close note',
    execute: () => undefined,
  };
  session.commands.register({ dependsOn: () => [], commands: () => [dismiss] });
  const { draft } = session.store.getState();
  const change = (state: Partial<ReturnType<typeof session.store.getState>>) => {
    act(() => session.store.setState(state));
  };
  renderView(session, <FirstRunNote />);
  const firstRun = { scenario: fil_mutex.manifest.id, platform: draft.platform };
  change({ scenario: fil_mutex, view: 'explorer', firstRun, run_state: 'running' });
  expect(screen.queryByText(/this very run/)).toBeNull();
  change({ previousRun });
  expect(screen.getByText(/recording of this run/)).toBeVisible();
  change({ run_state: 'finished' });
  expect(screen.queryByText(/this very run/)).toBeNull();
  const byHand = { ...pauseMark, kind: 'action' as const, subject: 0, value: 0, is_by_hand: true };
  change({ run_state: 'running', marks: [runMark(byHand, fil_mutex.manifest)] });
  expect(screen.queryByText(/this very run/)).toBeNull();
});
