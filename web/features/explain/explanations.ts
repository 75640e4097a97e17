// Explains transactions of the shown run with its own background worker, so the run itself is not
// affected. Does not depend on React or the page.

import { chainPath, pathPart, type ChainPath, type PathPart } from '../../analysis/chain-path';
import { chainWalk } from '../../analysis/chain-walk';
import type { Explanation } from '../../contract/explanation';
import type { ChosenTransaction } from '../../contract/lesson';
import { reasonsOf } from '../../engine-client/command-refused';
import { CommandRefused, EngineFailure } from '../../engine-client/engine';
import type { ExtraEngine } from '../../session/extra-engine';
import { NoExtraEngine } from '../../session/extra-engine';
import type { Session } from '../../session/session';
import type { ClientMoment, ExplorerState, ExplorerStore } from '../../session/store';
import type { Explained } from './explain-state';
import { p99Of, slowestOf, specShown, whyNotExplained, type Wanted } from './which-transaction';

/**
 * A chain of about 150,000 parts. Reading a larger one takes seconds, and more memory than a page
 * should use.
 */
export const READ_CHARACTERS_MAX = 24_000_000;

/** What explanations need from the rest of the page. */
export interface ExplainPorts {
  session: Session;
  /** Opens the view of the explanation. */
  showChain: () => void;
  locks: Lanes;
  /** Settles with a message for the reader. */
  copyText: (text: string) => Promise<string>;
  files: { save: (name: string, content: Blob) => void };
}

/** The thread lanes, which show the chain. */
interface Lanes {
  /** The thread and moment that the reader holds, and the shown part of the run. */
  moment: { held: ClientMoment | null; range: { fromNs: number; toNs: number } } | null;
  showPath: (path: ChainPath | null) => void;
  /** null shows the whole transaction. */
  showPathPart: (part: PathPart | null) => void;
  /** Scrolls to the lanes. */
  revealLanes: () => void;
}

/** The reader has cancelled an explanation, or requested another one. */
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
  readonly #store: ExplorerStore;
  /** The worker of the explanation in progress. */
  #engine: ExtraEngine | null = null;

  constructor(ports: ExplainPorts) {
    const { session, locks } = ports;
    this.session = session;
    this.ports = ports;
    this.#store = session.store;
    this.#store.subscribe(({ spec, explaining }, before) => {
      // An explanation does not apply to another run.
      if (spec !== before.spec && explaining.stage !== 'none') this.close();
      if (explaining === before.explaining || explaining.stage !== 'none') return;
      this.#dispose();
      locks.showPath(null);
    });
  }

  /**
   * Shows the explanation when it is complete. Rejects if there is none, and shows the reason, too.
   */
  async explain(wanted: Wanted): Promise<Explained> {
    const spec = specShown(this.#store.getState());
    this.#dispose();
    const engine = this.session.extraEngines.engine();
    this.#engine = engine;
    const { title, transaction, blame } = wanted;
    const isCurrent = () => this.#engine === engine;
    const onProgress = (partDone: number) => {
      if (isCurrent()) this.#set({ stage: 'under_way', title, partDone });
    };
    onProgress(0);
    this.ports.showChain();
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
      throw error instanceof NoExtraEngine ? new EngineFailure(error.message) : error;
    } finally {
      if (isCurrent()) this.#dispose();
    }
  }

  /** Explains the transaction that a lesson names. */
  explainChosen({ which, window }: ChosenTransaction): Promise<Explained> {
    const range = window && { fromS: window.from_s, toS: window.to_s };
    return this.explain(which === 'p99' ? p99Of(range) : slowestOf(range));
  }

  /** Returns why nothing can be explained now; null if it can. */
  whyNotExplained(): string | null {
    return whyNotExplained(this.#store.getState())?.message ?? null;
  }

  /** Shows the whole transaction in the lanes. */
  showPath(): void {
    const { explaining } = this.#store.getState();
    if (explaining.stage !== 'done' || explaining.explanation === null) return;
    this.ports.locks.showPath(chainPath(explaining.explanation));
  }

  /** Selects one part of the walk by its index, or all parts if null, in both lanes and tables. */
  lookAtPart(part: number | null): void {
    const { explaining } = this.#store.getState();
    if (explaining.stage !== 'done' || explaining.explanation === null) return;
    const chosen = part === null ? null : (explaining.walk[part] ?? null);
    this.#set({ ...explaining, part: chosen === null ? null : part });
    const { began_run_ps } = explaining.explanation.transaction;
    this.ports.locks.showPathPart(chosen === null ? null : pathPart(chosen, began_run_ps));
  }

  /** Cancels the explanation in progress, or removes the shown one. */
  close(): void {
    this.#set({ stage: 'none' });
  }

  #dispose(): void {
    this.#engine?.dispose();
    this.#engine = null;
  }

  #set(explaining: ExplorerState['explaining']): void {
    this.#store.setState({ explaining });
  }
}

const readIfSmall = (json: string) =>
  json.length > READ_CHARACTERS_MAX ? null : (JSON.parse(json) as Explanation);
