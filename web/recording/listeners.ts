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
export class Listeners {
  readonly #listeners = new Set<() => void>();
  #notices = 0;

  /** Number of notifications so far. */
  get notices(): number {
    return this.#notices;
  }

  /** Returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    const guardedListener = guarded(listener);
    this.#listeners.add(guardedListener);
    return () => this.#listeners.delete(guardedListener);
  }

  notify(): void {
    this.#notices += 1;
    for (const listener of this.#listeners) listener();
  }
}
