import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { defaultRunSpec } from '../contract/run-spec';
import { fil_mutex, machine } from '../contract/test-fixtures';
import { grant_program, plain_program } from '../contract/workload-fixture';
import { scenarioOfWorkload, WORKLOAD } from '../contract/workload-manifest';
import type { WorkloadProgram } from '../contract/workload-program';
import { reasonAgainst } from '../session/command-registry';
import { describeRun, fileName } from '../session/run-description';
import { renderPage } from './test-fixtures/render-page';
import { shortcutGroups } from './shortcuts';

/** Renders the explorer of a workload. */
async function explorerOf(program: WorkloadProgram) {
  const scenario = scenarioOfWorkload({ program });
  const page = renderPage({ scenarios: [fil_mutex] });
  await page.session.openRun({ version: 1, scenario: WORKLOAD, workload: { program } });
  await screen.findByRole('region', { name: 'Inspector' });
  return { ...page, scenario };
}

test('the page of a workload names no bug and no report', async () => {
  const { user } = await explorerOf(grant_program);
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(
    'Workload: LOCK_grant: a read lock that bounces',
  );
  expect(screen.getByRole('combobox', { name: 'Bug' })).toHaveDisplayValue(/^Workload LOCK_grant/);
  expect(screen.getByRole('group', { name: 'How does a statement protect the grant tables?' })).toBeVisible();
  const views = screen.getByRole('navigation', { name: 'Views' });
  expect(within(views).queryByRole('button', { name: 'Stage' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Story' })).toBeNull();
  expect(screen.queryByRole('region', { name: /What is wrong/ })).toBeNull();
  expect(screen.queryByRole('region', { name: 'Actions' })).toBeNull();
  await user.click(screen.getByRole('tab', { name: 'Output' }));
  expect(screen.queryByRole('button', { name: 'Reported' })).toBeNull();
  expect(await screen.findByRole('button', { name: 'sysbench', pressed: true })).toBeVisible();
  await user.click(screen.getByRole('tab', { name: 'Profile' }));
  const forms = screen.getByRole('group', { name: 'Views of Profile' });
  expect(within(forms).queryByRole('button', { name: 'Source' })).toBeNull();
  expect(document.body).not.toHaveTextContent(/undefined|#0|NaN/);
});

test('a workload with nothing to choose has no panel of designs', async () => {
  const { state, scenario } = await explorerOf(plain_program);
  expect(screen.queryByRole('region', { name: 'Lock design' })).toBeNull();
  const views = screen.getByRole('navigation', { name: 'Views' });
  expect(within(views).queryByRole('button', { name: 'Compare' })).toBeNull();
  const titles = shortcutGroups({ scenario }).flatMap(({ shortcuts }) => shortcuts.map(({ title }) => title));
  expect(titles).toContain('Original');
  expect(titles).not.toContain('Fixed');
  const { draftSpec } = state();
  expect(draftSpec).toMatchObject({ scenario: WORKLOAD, design: {}, threads: 64 });
});

test('what a workload cannot show says why', async () => {
  const { session } = await explorerOf(plain_program);
  for (const id of ['story.open', 'view.stage', 'evidence.reported', 'evidence.source'])
    expect(reasonAgainst(session.commands.find(id), session.store.getState()), id).toMatch(/^only bugs have/);
});

test('an export of a workload is named after it', async () => {
  const { session, scenario } = await explorerOf(plain_program);
  const state = session.store.getState();
  const spec = state.draftSpec!;
  expect(describeRun(spec, state).title).toBe('Workload: one mutex');
  expect(fileName(spec, scenario.manifest, 'csv')).toBe('latchscope-one-mutex-original-threads.csv');
});

test('another workload is another scenario, and the same one keeps its run', async () => {
  const { session, state } = renderPage({ scenarios: [fil_mutex] });
  const specOf = (program: WorkloadProgram) => ({ version: 1, scenario: WORKLOAD, workload: { program } });
  await session.openRun(specOf(plain_program));
  expect(state()).toMatchObject({ draftErrors: [], draft: { workload: { program: plain_program } } });
  const { scenario } = session.store.getState();
  expect(scenario).toBe(scenarioOfWorkload({ program: plain_program }));
  await session.openPlatform('virtual');
  expect(state().draftSpec).toMatchObject({ platform: 'virtual', scenario: WORKLOAD, threads: 200 });
  session.editDraft({ threads: 7 });
  expect(session.store.getState().scenario).toBe(scenario);
  const { manifest } = scenarioOfWorkload({ program: grant_program });
  session.place({ view: 'explorer', spec: defaultRunSpec(manifest, machine, 'virtual'), ofFeatures: {} });
  expect(session.store.getState().scenario.manifest).toBe(manifest);
  expect(state().draftSpec?.design).toEqual({ grant_lock: 'one_rw_lock', pages: 'few' });
  await session.openScenario(fil_mutex.manifest.id);
  expect(state()).toMatchObject({ draftErrors: [], draft: { workload: null } });
});
