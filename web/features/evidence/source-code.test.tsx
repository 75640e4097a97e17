import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { all_scenarios } from '../../contract/all-scenarios';
import type { Mark } from '../../contract/telemetry-states';
import { hasVariantOfReader, type RunSpec } from '../../contract/run-spec';
import { undo_read } from '../../contract/test-fixtures';
import { pauseMark } from '../../engine-client/test-fixtures/pause-mark';
import LatchTable from './latch-table';
import { runMark } from '../../recording/run-marks';
import SourceCode, { variantsThatRan } from './source-code';
import { showDrawnRun, showDrawnRunPaused } from '../../session/test-fixtures/drawn-run';
import { sessionForTest } from '../../session/test-fixtures/session-for-test';
import { textsOf } from '../../widgets/test-fixtures/reading';
import { renderView } from '../../widgets/test-fixtures/render-view';

const SITE_LINE = 'MutexGuard guard(shard().mutex, kGetVersion);';
const ORIGINAL = 'One global mutex, six times a read';

const pane = (title: string) => screen.findByRole('region', { name: title });
const siteLine = (of: HTMLElement) =>
  within(of)
    .getAllByRole('listitem')
    .find((line) => line.textContent.includes(SITE_LINE))!;

test('a line that takes a latch has the figures of the latch table beside it', async () => {
  const session = sessionForTest();
  await showDrawnRunPaused(session);
  await session.setKnob('tablespace_lookup', 'global_mutex');
  renderView(
    session,
    <>
      <LatchTable />
      <SourceCode />
    </>,
  );
  const original = await pane(ORIGINAL);
  expect(original).toHaveTextContent('running now');
  expect(await pane('One atomic word per tablespace')).toHaveTextContent('not running now');
  const cells = within(screen.getByRole('row', { name: /^fil_space_get_version/ })).getAllByRole('cell');
  const texts = textsOf(cells);
  const perSecond = texts.find((text) => text === '61,700');
  expect(perSecond).toBeDefined();
  expect(siteLine(original)).toHaveTextContent(`fil_system->mutex ${perSecond}/s, 50.0 % contended`);
});

test('after a knob was turned the new variant runs, and the other one stands beside it without counts', async () => {
  const session = sessionForTest();
  await showDrawnRunPaused(session);
  await session.setKnob('tablespace_lookup', 'sharded_mutex');
  renderView(session, <SourceCode />);
  expect(await pane('68 shards by tablespace number')).toHaveTextContent('running now');
  const original = await pane(ORIGINAL);
  expect(original).toHaveTextContent('not running now');
  expect(siteLine(original)).not.toHaveTextContent('/s');
});

test('when the run is over, each variant that ran has its totals', async () => {
  const session = sessionForTest();
  await showDrawnRun(session);
  await session.setKnob('tablespace_lookup', 'sharded_mutex');
  renderView(session, <SourceCode />);
  expect(await pane('68 shards by tablespace number')).toHaveTextContent('has run');
  const original = await pane(ORIGINAL);
  expect(within(original).getByText('has run')).toBeVisible();
  expect(siteLine(original)).toHaveTextContent('1,234 times, 50.0 % contended');
});

/** Only the part that the page reads. */
const rwLatch = { program: { functions: { enter_shared: [0, 1] } } };

test.each(all_scenarios.map((scenario) => [scenario.manifest.bug, scenario.manifest] as const))(
  'there is source for each variant of each knob of #%i',
  async (_bug, { id, knobs }) => {
    const session = sessionForTest({ scenarios: all_scenarios });
    await session.openScenario(id);
    if (knobs.some(hasVariantOfReader)) session.editDraft({ latch: rwLatch });
    const { user } = renderView(session, <SourceCode />);
    for (const knob of knobs) {
      await user.selectOptions(screen.getByRole('combobox', { name: 'Knob' }), knob.id);
      for (const variant of knob.variants) {
        await session.setKnob(knob.id, variant.id);
        const shown = await pane(variant.title);
        await waitFor(() => {
          expect(shown.querySelector('.source-standing')).toHaveTextContent(/^in the design$/);
        });
        expect(shown.querySelectorAll('li').length, variant.id).toBeGreaterThan(3);
      }
    }
  },
);

const markOf = (mark: Partial<Mark>) => runMark({ ...pauseMark, kind: 'knob', ...mark }, undo_read.manifest);
const spec = {
  design: { undo_page_size_lookup: 'shard_mutex', purge_latch: 'rw_lock' },
} as unknown as RunSpec;

test('the variant of the start and those that were flipped to, of this knob only', () => {
  const marks = [
    markOf({ value: 2 }),
    markOf({ value: 0 }),
    markOf({ subject: 1, value: 1 }),
    markOf({ kind: 'action', value: 1 }),
  ];
  const run = { spec, marks };
  expect(variantsThatRan(run, 'undo_page_size_lookup')).toEqual(['shard_mutex', 'cached']);
  expect(variantsThatRan(run, 'purge_latch')).toEqual(['rw_lock', 'sharded_rw_lock']);
});

test('without a run, none', () => {
  expect(variantsThatRan({ spec: null, marks: [] }, 'purge_latch')).toEqual([]);
});
