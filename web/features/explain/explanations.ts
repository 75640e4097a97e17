// Explains transactions of the run that is shown, by an engine of its own in a worker of its own: the run goes on, or stands,
// as it does. Knows neither React nor the page.
import type { StoreApi } from 'zustand/vanilla';

import { chainPath, pathPart, type ChainPath, type PathPart } from '../../analysis/chain-path';
import { chainWalk } from '../../analysis/chain-walk';
import type { Explanation } from '../../contract/explanation';
import { reasonsOf } from '../../engine-client/command-refused';
import { CommandRefused, EngineFailure } from '../../engine-client/engine';
import type { TimeRange } from '../../recording/time-scale';
import type { BesideEngine } from '../../session/beside-engine';
import { NoEngineBeside } from '../../session/beside-engine';
import { storeWithSlice } from '../../session/feature';
import type { Session } from '../../session/session';
import type { ClientMoment } from '../../session/store';
import type { Explained, ExplainState } from './explain-state';
import { specShown, type Wanted } from './which-transaction';

/** A chain of some 150,000 parts. To read a larger one takes seconds, and more memory than a page should. */
export const READ_CHARACTERS_MAX = 24_000_000;

/** What explanations need of the rest of the page. */
export interface ExplainPorts {
  /** Brings the view of the explanation to where the reader looks. */
  show: () => void;
  /** Shows the chain in the lanes of threads, or takes it away. */
  showPath: (path: ChainPath | null) => void;
  /** Shows one part of the chain in the lanes, or the transaction from its begin to its end. */
  showPart: (part: PathPart | null) => void;
  /** Brings the lanes to where the reader looks. */
  revealLanes: () => void;
  /** The thread and the moment that the reader holds in the lanes. */
  heldInLanes: () => ClientMoment | null;
  /** The part of the run that the lanes show. */
  windowOfLanes: () => TimeRange | null;
  /** Settles with what to tell the reader. */
  copyText: (text: string) => Promise<string>;
  save: (name: string, content: Blob) => void;
}

/** The reader has ended an explanation, or asked for another one. */
export class ExplanationCancelled extends CommandRefused {
  constructor() {
    super(
      [{ field: 'explanation', value: 'cancelled', allowed: 'an explanation that is not cancelled' }],
      'The explanation was cancelled.',
    );
  }
}

export class Explanations {
  readonly session: Session;
  readonly ports: ExplainPorts;
  readonly #store: StoreApi<ExplainState>;
  /** The one that is at work. */
  #engine: BesideEngine | null = null;

  constructor(session: Session, ports: ExplainPorts) {
    this.session = session;
    this.ports = ports;
    this.#store = storeWithSlice<ExplainState>(session.store);
    this.#store.subscribe(({ spec, explaining }, before) => {
      // Another run: what was explained is none of it.
      if (spec !== before.spec && explaining.stage !== 'none') this.close();
      if (explaining === before.explaining || explaining.stage !== 'none') return;
      this.#dispose();
      ports.showPath(null);
    });
  }

  /** Shows it when it is done. Rejects with why it cannot be, and shows that, too. */
  async explain(wanted: Wanted): Promise<Explained> {
    const spec = specShown(this.#store.getState());
    this.#dispose();
    const engine = this.session.beside.engine();
    this.#engine = engine;
    const { title, transaction, blame } = wanted;
    const isCurrent = () => this.#engine === engine;
    const onProgress = (part_done: number) => {
      if (isCurrent()) this.#set({ stage: 'under_way', title, part_done });
    };
    onProgress(0);
    this.ports.show();
    try {
      const texts = await engine.explain(spec, { transaction, blame }, onProgress);
      if (!isCurrent()) throw new ExplanationCancelled();
      const explanation = readIfSmall(texts.json);
      const walk = explanation === null ? [] : chainWalk(explanation);
      const explained = { ...texts, explanation };
      this.#set({ stage: 'done', title, ...explained, walk, part: null });
      this.showPath();
      return explained;
    } catch (error) {
      if (!isCurrent()) throw new ExplanationCancelled();
      this.#set({ stage: 'refused', title, reasons: reasonsOf(error) });
      throw error instanceof NoEngineBeside ? new EngineFailure(error.message) : error;
    } finally {
      if (isCurrent()) this.#dispose();
    }
  }

  /** The lanes show the transaction from its begin to its end. */
  showPath(): void {
    const { explaining } = this.#store.getState();
    if (explaining.stage !== 'done' || explaining.explanation === null) return;
    this.ports.showPath(chainPath(explaining.explanation));
  }

  /** Looks at one part of the walk, by its index, or at all of them; lanes and tables show the same one. */
  lookAtPart(part: number | null): void {
    const { explaining } = this.#store.getState();
    if (explaining.stage !== 'done' || explaining.explanation === null) return;
    const chosen = part === null ? null : (explaining.walk[part] ?? null);
    this.#set({ ...explaining, part: chosen === null ? null : part });
    const { began_run_ps } = explaining.explanation.transaction;
    this.ports.showPart(chosen === null ? null : pathPart(chosen, began_run_ps));
  }

  /** Ends the one that is at work, or takes away the one that is shown. */
  close(): void {
    this.#set({ stage: 'none' });
  }

  #dispose(): void {
    this.#engine?.dispose();
    this.#engine = null;
  }

  #set(explaining: ExplainState['explaining']): void {
    this.#store.setState({ explaining });
  }
}

const readIfSmall = (json: string) =>
  json.length > READ_CHARACTERS_MAX ? null : (JSON.parse(json) as Explanation);
