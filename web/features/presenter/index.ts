import { lazy } from 'react';

import type { Scenario } from '../../contract/manifest';
import type { Machine, Parsed } from '../../contract/run-spec';
import type { PresenterReadings } from '../../contract/page-readings';
import type { Feature, ParsedLink } from '../../session/feature';
import type { CommandSource } from '../../session/command-registry';
import type { ExplorerState } from '../../session/store';
import type { PresenterPorts } from './ports';
import { Presenter } from './presenter';

// Loaded when first presented.
export const SlidesView = lazy(() => import('./slides-view'));
export type { PanelsOfSlides } from './slide-figure';
export const BugChoice = lazy(() => import('./bug-choice'));

/** Loads the recorded runs of a scenario's lesson. */
export const loadRecordings = async (scenario: Scenario, machine: Machine) =>
  (await import('./recorded-runs')).loadRecordings(scenario, machine);

declare module '../../session/store' {
  interface FeatureSlices extends PresenterReadings {}
}
declare module '../../session/feature' {
  interface FeatureModels {
    presenter: Presenter;
  }
}

const notPresenting: PresenterReadings = { presenter: { is_on: false, slide: 0, slides: 0 } };

export const presenterFeature: Feature<PresenterPorts> = {
  slice: notPresenting,
  sliceAfterLeaving: (_, isOtherScenario) => (isOtherScenario ? notPresenting : {}),
  link: {
    names: ['presenter'],
    isBesideTheRun: true,
    isField: (key) => key === 'presenter',
    isOfAnyPlatform: (key) => key === 'presenter',
    parse: parsePresenter,
    format: (state) => (state.presenter.is_on ? [['presenter', '1']] : []),
    partsOf: (state) => [state.presenter.is_on],
  },
  open: (ports) => {
    const presenter = new Presenter(ports);
    return {
      models: { presenter },
      commands: [presenterCommands(presenter, ports)],
      openLink: (link) => presenter.openLink(link),
    };
  },
};

function parsePresenter({ pairs }: ParsedLink): Parsed<{ isPresenting: boolean }> {
  const value = new Map(pairs).get('presenter');
  if (value !== undefined && value !== '1') {
    return { ok: false, errors: [{ field: 'presenter', value, allowed: '1, or no such field' }] };
  }
  return { ok: true, value: { isPresenting: value !== undefined } };
}

const isOn = ({ presenter }: ExplorerState) => presenter.is_on;

const presenterCommands = (
  presenter: Presenter,
  { session, toggleFullScreen }: PresenterPorts,
): CommandSource => ({
  commands: () => [
    {
      id: 'presenter.toggle',
      title: 'Present as slides',
      isEnabled: ({ view, scenario }) => view === 'front' || scenario.lesson !== null,
      unlessEnabled: 'this bug has no lesson',
      execute: () => presenter.toggle(),
    },
    {
      id: 'presenter.next',
      title: 'Slides: next',
      isEnabled: isOn,
      unlessEnabled: 'no slides are shown',
      execute: async () => (await presenter.loadSlides()).next(),
    },
    {
      id: 'presenter.previous',
      title: 'Slides: previous',
      isEnabled: isOn,
      unlessEnabled: 'no slides are shown',
      execute: async () => (await presenter.loadSlides()).previous(),
    },
    {
      id: 'presenter.first',
      title: 'Slides: first',
      isEnabled: isOn,
      unlessEnabled: 'no slides are shown',
      execute: async () => (await presenter.loadSlides()).first(),
    },
    {
      id: 'presenter.fullscreen',
      title: 'Full screen',
      isEnabled: isOn,
      unlessEnabled: 'no slides are shown',
      execute: async () => {
        if (await toggleFullScreen()) return;
        session.store.setState({ announcement: 'This browser has no full screen' });
      },
    },
  ],
});
