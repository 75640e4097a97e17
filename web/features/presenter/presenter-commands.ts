// Defines the commands of presenter mode.
import type { CommandSource } from '../../session/command-registry';
import type { Session } from '../../session/session';
import type { Presenter } from './presenter';
import type { ExplorerState } from '../../session/store';

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
      isEnabled: () => true,
      execute: () => {
        presenter.toggle();
      },
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
      execute: () => {
        presenter.previous();
      },
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
