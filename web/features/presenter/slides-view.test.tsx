import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { undo_read } from '../../contract/test-fixtures';
import { fakeEngines, sessionForTest } from '../../session/test-fixtures/session-for-test';
import { renderView } from '../../widgets/test-fixtures/render-view';
import { presenterFeature, type PanelsOfSlides } from './index';
import type { PresenterPorts } from './ports';
import { Presenter } from './presenter';
import { loadRecordings } from './recorded-runs';
import SlidesView from './slides-view';

const panels: PanelsOfSlides = {
  queue: () => <p>the queue</p>,
  picture: <p>the picture</p>,
  walk: <p>the walk</p>,
  lanes: <p>the lanes</p>,
  chain: <p>the chain</p>,
  evidence: (place) => <p>evidence of {place}</p>,
};

/** Shows the slides of a bug. Its tasks last until `finish` is called. */
async function shown(loadRecordings: PresenterPorts['loadRecordings'] = () => Promise.resolve([])) {
  const { loaders } = fakeEngines();
  const session = sessionForTest({ features: [presenterFeature], loaders });
  await session.openScenario(undo_read.manifest.id);
  const { store } = session;
  const performed: string[] = [];
  const progress = { step: 0, is_doing: false };
  const change = (part: Partial<typeof progress>) => {
    store.setState(({ lesson }) => ({ lesson: { ...progress, ...lesson, ...part } }) as object);
  };
  change({});
  store.setState({ explaining: { stage: 'none' } } as object);
  const ports: PresenterPorts = {
    session,
    loadStage: () => Promise.reject(new Error('none')),
    loadRecordings,
    toggleFullScreen: () => Promise.resolve(false),
    openDialog: () => undefined,
    lesson: {
      open: (step) => change({ step }),
      close: () => store.setState({ lesson: null } as object),
      look: () => undefined,
      perform: (step, task) => {
        performed.push(`${step + 1}.${task + 1}`);
        change({ is_doing: true });
        return Promise.resolve();
      },
    },
  };
  const presenter = new Presenter(ports);
  session.commands.register(presenterFeature.open!(ports).commands![0]!);
  presenter.start();
  const view = renderView(session, <SlidesView panels={panels} />, { presenter });
  await screen.findByRole('heading', { level: 1 });
  const slides = await presenter.loadSlides();
  const next = () => {
    act(() => slides.next());
  };
  const finish = () => {
    act(() => change({ is_doing: false }));
  };
  return { ...view, session, presenter, performed, slides, next, finish };
}

const title = () => screen.getByRole('heading', { level: 1 }).textContent;

test('a slide has a title, and says which one comes next', async () => {
  const { next } = await shown();
  expect(title()).toBe('One UPDATE, and thirty-two readers wait in line');
  expect(screen.getByRole('status')).toHaveTextContent('1 of 24');
  next();
  expect(title()).toBe("What happens to the readers' throughput after the UPDATE?");
  expect(screen.getAllByRole('listitem')).toHaveLength(3);
  expect(within(screen.getAllByRole('listitem')[0]!).getByText('A')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Next: Run with the UPDATE at 100 ms' })).toBeVisible();
});

test('a task starts with its slide and shows its progress; the answer follows', async () => {
  const { performed, next, finish } = await shown();
  next();
  expect(performed).toEqual([]);
  next();
  await waitFor(() => expect(performed).toEqual(['2.1']));
  expect(screen.getByRole('progressbar', { name: 'Progress of the run' })).toBeVisible();
  finish();
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  next();
  expect(title()).toBe('CIt falls to one or two hundredths.');
  expect(screen.getByText('the queue')).toBeVisible();
});

test('without a recording, the key goes on while a run is on its way, and a change waits for it', async () => {
  const { performed, next, finish, slides } = await shown();
  const change = slides.slides.findIndex(({ title: of }) => of === 'Remember the page size');
  while (slides.index < change) {
    next();
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(`${slides.index + 1} of`));
  }
  expect(performed).toEqual(['2.1', '5.1', '6.1']);
  expect(title()).toBe('Remember the page size');
  finish();
  await waitFor(() => expect(performed).toEqual(['2.1', '5.1', '6.1', '6.2']));
});

test('a wait is skipped to its recorded result, also of a run that the stage does not have', async () => {
  const { next, slides } = await shown(loadRecordings);
  const rates = () => [...document.querySelectorAll('.slide-numbers dd')].map((one) => one.textContent);
  while (title() !== 'Run with a free mutex') {
    next();
    if (!slides.isWaiting) continue;
    await screen.findByRole('button', { name: 'Skip to the recorded result' });
    expect(rates()).toEqual([]);
    next();
    expect(screen.getByText('recorded')).toBeVisible();
  }
  expect(rates()).toEqual([expect.stringMatching(/^1\d,\d\d0$/), expect.stringMatching(/^3\d\d ÷ \d\d$/)]);
});

test('a task that is done does not start again after going back', async () => {
  const { performed, next, finish, slides } = await shown();
  next();
  next();
  await waitFor(() => expect(performed).toEqual(['2.1']));
  finish();
  await waitFor(() => expect(slides.work).toBeNull());
  next();
  act(() => slides.previous());
  expect(title()).toBe('Run with the UPDATE at 100 ms');
  act(() => slides.previous());
  next();
  expect(slides.isWaiting).toBe(false);
  expect(performed).toEqual(['2.1']);
});
