import { actionCommandId, designCommandId, findCommand, perform } from '../../session/commands';
import type { Manifest } from '../../contract/manifest';
import type { Session } from '../../session/session';

/** Something that the next press of a slide remote does where no lesson is open. */
export interface Cue {
  title: string;
  command: string;
}

/** Run, the actions that the report's figures depend on, the cure, and the bug once more. */
export function cuesOf({ reported, actions }: Manifest): Cue[] {
  const needed = reported.flatMap(({ here }) => [here?.when?.before, here?.when?.after]);
  return [
    { title: 'Run', command: 'run.start' },
    ...actions
      .filter(({ id }) => needed.includes(id))
      .map(({ id, title }) => ({ title, command: actionCommandId(id) })),
    { title: 'Design: fixed', command: designCommandId('fixed') },
    { title: 'Design: original', command: designCommandId('original') },
  ];
}

/** Shows the page to an audience, one thing after the other. */
export class Presenter {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  turn(is_on: boolean): void {
    this.#session.store.setState({ presenter: { is_on, cues_done: 0 } });
  }

  /** The next thing to show: in the lesson if one is open, else the next cue; one that cannot be done now waits. */
  async next(): Promise<void> {
    const { store, lesson } = this.#session;
    const state = store.getState();
    if (state.lesson !== null) {
      await lesson.advance();
      return;
    }
    const cue = cuesOf(state.scenario.manifest)[state.presenter.cues_done];
    const command = cue && findCommand(state, cue.command);
    if (command?.isEnabled(state) !== true) return;
    this.#setCuesDone(state.presenter.cues_done + 1);
    await perform(command, this.#session);
  }

  /** One step back. Nothing that was done is undone. */
  previous(): void {
    const { lesson, presenter } = this.#session.store.getState();
    if (lesson === null) this.#setCuesDone(Math.max(0, presenter.cues_done - 1));
    else this.#session.lesson.turn(-1);
  }

  #setCuesDone(cues_done: number): void {
    const { store } = this.#session;
    store.setState({ presenter: { ...store.getState().presenter, cues_done } });
  }
}
