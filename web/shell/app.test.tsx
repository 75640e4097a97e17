import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { SessionContext } from '../widgets/session-context';
import { ExperimentsContext } from '../features/experiments/experiments-context';
import { PresenterContext } from '../features/presenter/presenter-context';
import { App } from './app';
import { pageForTest } from './page-fixture';
import { undo_result } from '../contract/run-result-fixtures';

test('smoke', async () => {
  const page = pageForTest();
  render(
      <SessionContext value={page.session}>
        <ExperimentsContext value={page.experiments}>
          <PresenterContext value={page.presenter}>
            <App />
          </PresenterContext>
        </ExperimentsContext>
      </SessionContext>
  );
  expect(screen.getByRole('heading', { level: 1, name: 'Latchscope' })).toBeVisible();
  await page.session.openResult(JSON.stringify(undo_result), 'x.json');
  expect(await screen.findByRole('heading', { level: 1, name: /117533/ })).toBeVisible();
  expect(screen.getAllByRole('slider')).toHaveLength(3);
  expect(screen.getByRole('table')).toBeVisible();
});
