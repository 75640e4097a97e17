// Protects listeners from each other's errors.
import type { StoreApi } from 'zustand/vanilla';

/**
 * Wraps a listener: its errors go to the console and affect neither other listeners nor the caller.
 */
export function guarded<Told extends unknown[]>(listener: (...told: Told) => void): (...told: Told) => void {
  return (...told) => {
    try {
      listener(...told);
    } catch (error) {
      console.error(error);
    }
  };
}

export function withGuardedListeners<State>(store: StoreApi<State>): StoreApi<State> {
  return { ...store, subscribe: (listener) => store.subscribe(guarded(listener)) };
}

/** Listeners, each protected from errors of the others. */
export class Listeners<Told extends unknown[] = []> {
  readonly #listeners = new Set<(...told: Told) => void>();
  #changes = 0;

  /** Number of notifications so far. */
  get changes(): number {
    return this.#changes;
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: (...told: Told) => void): () => void {
    const guardedListener = guarded(listener);
    this.#listeners.add(guardedListener);
    return () => this.#listeners.delete(guardedListener);
  }

  notify(...told: Told): void {
    this.#changes += 1;
    for (const listener of this.#listeners) listener(...told);
  }
}
