// Connects views to the session and its store.
import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';

import { frames } from '../charts/frames';
import type { FeatureModels } from '../session/feature';
import type { Session } from '../session/session';
import type { ExplorerState } from '../session/store';

export const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('A view was mounted outside of SessionContext.');
  return session;
}

/** Returns a function that performs a command by its id. */
export function usePerform(): (id: string) => void {
  const { commands } = useSession();
  return (id) => void commands.perform(id);
}

/** The page's objects of features, by name. */
export const ModelsContext = createContext<Partial<FeatureModels>>({});

export function useModel<Name extends keyof FeatureModels>(name: Name): FeatureModels[Name] {
  const model = useContext(ModelsContext)[name];
  if (model === undefined) throw new Error(`A view of ${name} was mounted outside of ModelsContext.`);
  return model;
}

/** Returns a part of the page's state; the view renders again when that part changes. */
export function useExplorer<Part>(select: (state: ExplorerState) => Part): Part {
  return useStore(useSession().store, select);
}

/** Returns several parts of the state as one object, which changes only with one of them. */
export const useParts = <Parts>(select: (state: ExplorerState) => Parts): Parts =>
  useExplorer(useShallow(select));

/** The updates that one part of the page does together, in one of the next animation frames. */
export class FrameBatch {
  readonly #works = new Set<() => void>();

  take(work: () => void): void {
    this.#works.add(work);
    frames.schedule('draw', this.#comes);
  }

  giveUp(work: () => void): void {
    this.#works.delete(work);
  }

  readonly #comes = (): void => {
    const works = [...this.#works];
    this.#works.clear();
    for (const work of works) work();
  };
}

/** The updates of the part that contains the view (part.tsx). */
export const FrameBatchContext = createContext(new FrameBatch());

/** State that changes continuously during a run. */
type Figures = Pick<ExplorerState, 'live' | 'model' | 'run_state' | 'result'>;

/**
 * Returns a value derived from a run's figures. During a run, each part of the page updates it in a
 * frame of its own, so that no frame takes long.
 */
export function useInFrame<Part>(select: (state: ExplorerState) => Part): Part {
  const { store } = useSession();
  const turn = useContext(FrameBatchContext);
  const subscribe = useCallback(
    (onChange: () => void) => {
      const unsubscribe = store.subscribe((state, before) => {
        if (state.run_state !== 'running') onChange();
        else if (hasOtherFigures(state, before)) turn.take(onChange);
      });
      return () => {
        unsubscribe();
        turn.giveUp(onChange);
      };
    },
    [store, turn],
  );
  return useSyncExternalStore(subscribe, () => select(store.getState()));
}

const hasOtherFigures = (now: Figures, before: Figures) =>
  now.live !== before.live ||
  now.model !== before.model ||
  now.run_state !== before.run_state ||
  now.result !== before.result;
