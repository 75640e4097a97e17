import { actionCommandId, designCommandId } from '../../session/commands';
import { presetTitle } from '../../session/designs';
import type { Manifest } from '../../contract/manifest';
import type { Session } from '../../session/session';
import type { ExplorerStore } from '../../session/store';

/** An action for the next press of a slide remote while no lesson is open. */
export interface Cue {
  title: string;
  command: string;
}

/**
 * Returns the cues: run, the actions that the report's figures depend on, the fix, and the bug
 * again.
 */
export function cuesOf(manifest: Manifest): Cue[] {
  const { reported, actions } = manifest;
  const needed = reported.flatMap(({ here }) => [here?.when?.before, here?.when?.after]);
  return [
    { title: 'Run', command: 'run.start' },
    ...actions
      .filter(({ id }) => needed.includes(id))
      .map(({ id, title }) => ({ title, command: actionCommandId(id) })),
    ...['fixed', 'original'].map((design) => ({
      title: `Design: ${presetTitle(manifest, design)}`,
      command: designCommandId(design),
    })),
  ];
}

/** An open lesson, which determines the presenter's actions. */
export interface PresentersGuide {
  /** Describes the next action of `advance`; null if no lesson is open. */
  comingInWords: () => string | null;
  advance: () => Promise<void>;
  /** Moves by this many steps. */
  turn: (steps: number) => void;
}

/** Presents the page to an audience, one action at a time. */
export class Presenter {
  readonly #session: Session;
  readonly #store: ExplorerStore;
  readonly #guide: PresentersGuide;

  constructor(session: Session, guide: PresentersGuide) {
    this.#session = session;
    this.#store = session.store;
    this.#guide = guide;
  }

  turn(isOn: boolean): void {
    this.#store.setState({ presenter: { is_on: isOn, cues_done: 0 } });
  }

  toggle(): void {
    const { view, presenter } = this.#store.getState();
    if (view === 'front') this.#session.openView('explorer');
    this.turn(!presenter.is_on);
  }

  openLink({ isPresenting }: { isPresenting?: boolean }): void {
    const { is_on } = this.#store.getState().presenter;
    if (isPresenting !== undefined && isPresenting !== is_on) this.turn(isPresenting);
  }

  /** Describes the next action of `next`. */
  comingInWords(): string {
    return this.#guide.comingInWords() ?? this.#cue()?.title ?? 'End of lesson';
  }

  /**
   * Performs the next action: in the lesson if one is open, else the next cue. Does nothing while
   * that cue is not available.
   */
  async next(): Promise<void> {
    if (this.#guide.comingInWords() !== null) {
      await this.#guide.advance();
      return;
    }
    const { commands } = this.#session;
    const cue = this.#cue();
    if (cue === undefined || !commands.isEnabled(cue.command)) return;
    this.#setCuesDone(this.#store.getState().presenter.cues_done + 1);
    await commands.perform(cue.command);
  }

  /** Moves one step back, without undoing anything. */
  previous(): void {
    const { cues_done } = this.#store.getState().presenter;
    if (this.#guide.comingInWords() === null) this.#setCuesDone(Math.max(0, cues_done - 1));
    else this.#guide.turn(-1);
  }

  #cue(): Cue | undefined {
    const { scenario, presenter } = this.#store.getState();
    return cuesOf(scenario.manifest)[presenter.cues_done];
  }

  #setCuesDone(cuesDone: number): void {
    this.#store.setState(({ presenter }) => ({ presenter: { ...presenter, cues_done: cuesDone } }));
  }
}
