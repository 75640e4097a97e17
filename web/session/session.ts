// Implements the session: all operations on runs that the page, scripts and tests use.
import type { Draft } from '../contract/draft';
import { describeValue } from '../contract/fault';
import type { Manifest } from '../contract/manifest';
import { all_platforms, type Platform } from '../contract/platforms';
import type { RunResult } from '../contract/run-result';
import { defaultRunSpec, parseRunSpec, type Parsed, type RunSpec } from '../contract/run-spec';
import { scenarioInWords } from '../contract/scenario-names';
import { isSameScenario, scenarioOfSpec } from '../contract/workload-manifest';
import { CommandRefused } from '../engine-client/engine';
import { Listeners } from '../recording/listeners';
import { CommandRegistry, unlessRefused } from './command-registry';
import { checkDraft, draftOf } from './draft';
import type { Feature, LinkFields } from './feature';
import type { LinkTarget } from './link';
import { OpenedFiles } from './opened-files';
import { refuseUnknown, RunControl, type RunControlOptions } from './run-control';
import { refusalToReplace } from './run-lock';
import type { FeatureSlices, Selected, View } from './store';

export interface SessionOptions extends Omit<RunControlOptions, 'slices'> {
  features?: readonly Feature[];
}

/**
 * Does everything that a reader or a test can do with the page: shows bugs, links and files, and
 * runs them (run-control.ts). Does not depend on React.
 */
export class Session extends RunControl {
  readonly commands = new CommandRegistry(() => this.store.getState());
  /** Notified with the features' fields of each opened link. */
  readonly linkOpened = new Listeners<[ofFeatures: object]>();
  readonly linkFields: readonly LinkFields[];
  readonly files: OpenedFiles;
  readonly #features: readonly Feature[];
  readonly #options: SessionOptions;

  constructor({ features = [], ...options }: SessionOptions) {
    super({ ...options, slices: merged(features.map(({ slice }) => slice)) });
    this.#options = options;
    this.#features = features;
    this.linkFields = features.flatMap(({ link }) => link ?? []);
    this.files = new OpenedFiles(this);
  }

  /**
   * Returns a session with an engine of its own, for a view that runs something beside the reader's
   * run. The caller must close it.
   */
  beside(): Session {
    return new Session({ ...this.#options, checkpointBytes: 0 });
  }

  /** Ends what the session runs, and its engine, for good. */
  async close(): Promise<void> {
    await this.endRuns();
    this.slot.close();
  }

  /**
   * Makes a link's run the next run, or shows the link's faults. Without a link, shows the start
   * page.
   */
  async openLink(link: Parsed<LinkTarget> | null): Promise<void> {
    if (link === null) {
      this.openView('front');
    } else if (link.ok) {
      const { view, spec, starts } = link.value;
      const draft = this.#draftOfLink(spec);
      const isShown = await this.#show(draft, { view, leavesRun: starts !== undefined });
      if (!isShown) return;
      this.linkOpened.notify(link.value.ofFeatures);
      if (starts !== undefined) await this.#startByItself(spec, starts);
    } else {
      this.openView('explorer');
      this.store.setState({ linkErrors: link.errors });
    }
  }

  // If the run does not start, the page already shows why.
  async #startByItself({ scenario, platform }: RunSpec, starts: 'as_linked' | 'first_run'): Promise<void> {
    if (starts === 'first_run') this.store.setState({ firstRun: { scenario, platform } });
    await unlessRefused(() => this.runDraft());
  }

  /** Selects a part of the run for the inspector; null selects nothing. */
  select(selected: Selected | null): void {
    this.store.setState({ selected });
  }

  /** A run continues behind any view. */
  openView(view: View): void {
    this.store.setState({ view });
  }

  // A link without an interval gets the page's sample, not the engine's full seconds.
  #draftOfLink(spec: RunSpec): Draft {
    const { manifest } = scenarioOfSpec(spec, this.scenarios)!;
    const defaults = defaultRunSpec(manifest, this.store.getState().machine, spec.platform);
    return { ...draftOf(spec), interval_s: spec.interval_s ?? defaults.interval_s ?? null };
  }

  /**
   * Shows a scenario, with its defaults as the next run. Stops a run of another scenario first. The
   * view stays; from the start page, it becomes `fromStart`.
   */
  async openScenario(id: string, fromStart: View = 'explorer'): Promise<void> {
    const manifest = this.#manifest(id);
    if (this.store.getState().view === 'front') this.openView(fromStart);
    const { draft, opening, machine } = this.store.getState();
    if ((opening ?? draft).scenario === id) return;
    const platform = (opening ?? draft).platform;
    if (await this.#show(draftOf(defaultRunSpec(manifest, machine, platform)))) await this.slot.checkDraft();
  }

  /**
   * Shows the same scenario and design on another platform, with its defaults. Stops the current
   * run first.
   */
  async openPlatform(platform: Platform): Promise<void> {
    if (!all_platforms.includes(platform)) {
      const allowed = all_platforms.join(' or ');
      throw new CommandRefused([{ field: 'platform', value: describeValue(platform), allowed }]);
    }
    const { draft, opening, machine, missing } = this.store.getState();
    const shown = opening ?? draft;
    if (shown.platform === platform) return;
    if (missing[platform].length > 0) {
      const allowed = missing[platform].map(({ explanation }) => explanation).join(' ');
      throw new CommandRefused([{ field: 'platform', value: platform, allowed: `unavailable: ${allowed}` }]);
    }
    const { manifest } = scenarioOfSpec(shown, this.scenarios)!;
    const { design, latch } = shown;
    await this.#show({ ...draftOf(defaultRunSpec(manifest, machine, platform)), design, latch });
  }

  /**
   * Shows a run spec as the next run, after stopping the current run. Rejects with a CommandRefused
   * that names every fault.
   */
  async openRun(input: unknown): Promise<void> {
    const spec = this.#parsed(input);
    await this.#show(draftOf(spec), { leavesRun: true, view: this.#viewOfRun() });
  }

  /** Runs a spec to its end. Rejects with a CommandRefused that names every fault. */
  async run(input: unknown): Promise<RunResult> {
    const spec = this.#parsed(input);
    return this.resultOf(this.start(spec, () => this.#place(draftOf(spec), this.#viewOfRun())));
  }

  #parsed(input: unknown): RunSpec {
    const parsed = parseRunSpec(input, this.scenarios, this.store.getState().machine);
    if (!parsed.ok) throw new CommandRefused(parsed.errors);
    return parsed.value;
  }

  /** Returns the shown view, or the explorer if the start page is shown. */
  #viewOfRun(): View {
    const { view } = this.store.getState();
    return view === 'front' ? 'explorer' : view;
  }

  /**
   * Shows what a link would show, at once and without starting a run. Throws CommandRefused during
   * a run.
   */
  place(target: LinkTarget): void {
    this.refuseToStart();
    this.#place(this.#draftOfLink(target.spec), target.view);
    this.linkOpened.notify(target.ofFeatures);
  }

  /**
   * Shows a run spec and starts it, after stopping the current run. Settles when it has started.
   */
  async startRun(spec: RunSpec): Promise<void> {
    const refusal = refusalToReplace(this.store.getState());
    if (refusal !== null) throw refusal;
    if (this.hasRun()) await this.endRuns();
    await this.start(spec, () => this.#place(draftOf(spec)));
  }

  #manifest(id: string): Manifest {
    return refuseUnknown(
      'scenario',
      id,
      this.scenarios.map(({ manifest }) => manifest),
    );
  }

  /**
   * Makes `draft` the next run. Ends the current run first if the draft has another scenario or
   * platform, or if the run is to be left. Returns false if the reader has requested something else
   * meanwhile. View and scenario change together, so that the address bar changes only once.
   */
  async #show(
    draft: Draft,
    { leavesRun = false, view = this.store.getState().view }: { leavesRun?: boolean; view?: View } = {},
  ): Promise<boolean> {
    const leaves = leavesRun || !this.#isShown(draft);
    const hasRun = this.hasRun();
    const { manifest } = this.store.getState().scenario;
    if (leaves && hasRun) {
      this.store.setState({ opening: draft, view });
      await this.endRuns();
      if (this.store.getState().opening !== draft) return false;
    }
    if (leaves) this.#leaveFor(draft, view, hasRun ? `Run of ${scenarioInWords(manifest)} stopped` : '');
    else this.#place(draft, view);
    return true;
  }

  /**
   * Ends the current run and makes room for another. Returns false if the reader has requested
   * something else meanwhile.
   */
  makeRoomFor(draft: Draft): Promise<boolean> {
    return this.#show(draft, { leavesRun: true });
  }

  #isShown(draft: Draft): boolean {
    const { scenario, draft: shown } = this.store.getState();
    const isOfScenario = isSameScenario(draft, { scenario: scenario.manifest.id, ...scenario.manifest });
    return isOfScenario && draft.platform === shown.platform;
  }

  /**
   * Makes `draft` the next run at once.
   * REQUIRES: no run is in progress if the draft has another scenario or platform.
   */
  #place(draft: Draft, view = this.store.getState().view): void {
    if (!this.#isShown(draft)) {
      this.#leaveFor(draft, view, '');
      return;
    }
    this.store.setState({ opening: null, view });
    this.editDraft(draft);
  }

  /** Makes `draft` the next run and forgets the last run. */
  #leaveFor(draft: Draft, view: View, announcement: string): void {
    this.shownRun.leave();
    const before = this.store.getState();
    const { scenarios, machine, draft: shown } = before;
    const isOtherScenario = !isSameScenario(draft, shown);
    if (draft.platform !== shown.platform) this.slot.leave();
    this.store.setState({
      view,
      scenario: scenarioOfSpec(draft, scenarios)!,
      ...merged(this.#features.map((feature) => feature.sliceAfterLeaving?.(before, isOtherScenario))),
      opening: null,
      announcement,
      ...checkDraft(draft, scenarios, machine),
    });
    if (draft.platform === shown.platform) void this.slot.checkDraft();
    else this.engine().catch(() => undefined);
  }
}

/** Merges the slices of several features. */
const merged = (slices: readonly (Partial<FeatureSlices> | undefined)[]): Partial<FeatureSlices> =>
  Object.assign({}, ...slices) as Partial<FeatureSlices>;
