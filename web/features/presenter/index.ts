import type { Feature, ParsedLink } from '../../session/feature';
import type { Parsed } from '../../contract/run-spec';
import type { PresenterReadings } from '../../contract/page-readings';
import type { CommandSource } from '../../session/command-registry';
import type { Session } from '../../session/session';
import type { ExplorerState } from '../../session/store';
import { Presenter, type PresentersGuide } from './presenter';

export { PresenterBar } from './presenter-bar';

declare module '../../session/store' {
  interface FeatureSlices extends PresenterReadings {}
}
declare module '../../session/feature' {
  interface FeatureModels {
    presenter: Presenter;
  }
}

const notPresenting: PresenterReadings = { presenter: { is_on: false, cues_done: 0 } };

interface PresenterPorts {
  session: Session;
  lesson: PresentersGuide;
  /** Settles with whether the browser allowed it. */
  toggleFullScreen: () => Promise<boolean>;
}

export const presenterFeature: Feature<PresenterPorts> = {
  slice: notPresenting,
  link: {
    names: ['presenter'],
    isBesideTheRun: true,
    isField: (key) => key === 'presenter',
    isOfAnyPlatform: (key) => key === 'presenter',
    parse: parsePresenter,
    format: (state) => (state.presenter.is_on ? [['presenter', '1']] : []),
    partsOf: (state) => [state.presenter.is_on],
  },
  open: ({ session, lesson, toggleFullScreen }) => {
    const presenter = new Presenter(session, lesson);
    return {
      models: { presenter },
      commands: [presenterCommands(presenter, session, toggleFullScreen)],
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

/** `toggleFullScreen` settles with whether the browser allowed it. */
export const presenterCommands = (
  presenter: Presenter,
  session: Session,
  toggleFullScreen: () => Promise<boolean>,
): CommandSource => ({
  commands: () => [
    {
      id: 'presenter.toggle',
      title: 'Presenter mode',
      execute: () => presenter.toggle(),
    },
    {
      id: 'presenter.next',
      title: 'Presenter: next',
      isEnabled: isOn,
      unlessEnabled: 'the presenter is off',
      execute: () => presenter.next(),
    },
    {
      id: 'presenter.previous',
      title: 'Presenter: previous',
      isEnabled: isOn,
      unlessEnabled: 'the presenter is off',
      execute: () => presenter.previous(),
    },
    {
      id: 'presenter.fullscreen',
      title: 'Full screen',
      isEnabled: isOn,
      unlessEnabled: 'the presenter is off',
      execute: async () => {
        if (await toggleFullScreen()) return;
        session.store.setState({ announcement: 'This browser has no full screen' });
      },
    },
  ],
});
