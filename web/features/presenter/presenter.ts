import type { Session } from '../../session/session';
import type { View } from '../../session/store';
import type { PresenterPorts } from './ports';
import type { SlideShow } from './slide-show';

/** The page as it was before the slides. */
interface Before {
  view: View;
  isLessonOpen: boolean;
}

/** Shows a bug's lesson as slides, in place of the page's views. */
export class Presenter {
  readonly ports: PresenterPorts;
  readonly #session: Session;
  #before: Before | null = null;
  #slides: Promise<SlideShow> | null = null;
  /** Where the slides of a closed lesson were left. */
  #leftAt: { scenario: string; step: number } | null = null;

  constructor(ports: PresenterPorts) {
    this.ports = ports;
    this.#session = ports.session;
    this.#session.store.subscribe(({ presenter, view, lesson }) => {
      const isElsewhere = view !== 'explorer' || lesson === null;
      if (presenter.is_on && this.#before !== null && isElsewhere) this.#turnOff();
    });
  }

  /** Loads the slides of the open lesson. */
  loadSlides(): Promise<SlideShow> {
    this.#slides ??= import('./slide-show').then((loaded) => new loaded.SlideShow(this.ports));
    return this.#slides;
  }

  /** Shows the slides, or leaves them. The start page asks for a bug first. */
  toggle(): void {
    const { view, presenter } = this.#session.store.getState();
    if (presenter.is_on) this.leave();
    else if (view === 'front') this.ports.openDialog('present');
    else this.start();
  }

  /** Shows the slides of a bug from the first one. */
  async present(scenario: string): Promise<void> {
    await this.#session.openScenario(scenario);
    this.#leftAt = null;
    this.start();
  }

  /** Shows the slides of the shown bug from the open step of its lesson, or where they were left. */
  start(): void {
    const { store } = this.#session;
    const { view, lesson, scenario } = store.getState();
    if (scenario.lesson === null) return;
    this.#before = null;
    const left = this.#leftAt?.scenario === scenario.manifest.id ? this.#leftAt.step : 0;
    this.#session.openView('explorer');
    this.ports.lesson.open(lesson?.step ?? left);
    this.#before = { view, isLessonOpen: lesson !== null };
    store.setState(({ presenter }) => ({ presenter: { ...presenter, is_on: true } }));
  }

  /** Leaves the slides. The view that was open before shows the same run. */
  leave(): void {
    const before = this.#before;
    const { lesson, scenario } = this.#session.store.getState();
    this.#turnOff();
    if (before === null) return;
    if (lesson !== null) this.#leftAt = { scenario: scenario.manifest.id, step: lesson.step };
    if (!before.isLessonOpen) this.ports.lesson.close();
    this.#session.openView(before.view);
  }

  openLink({ isPresenting }: { isPresenting?: boolean }): void {
    const { is_on } = this.#session.store.getState().presenter;
    if (isPresenting === undefined || isPresenting === is_on) return;
    if (isPresenting) this.start();
    else this.#turnOff();
  }

  #turnOff(): void {
    this.#before = null;
    this.#session.store.setState(({ presenter }) => ({ presenter: { ...presenter, is_on: false } }));
  }
}
