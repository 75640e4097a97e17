import type { StoreApi } from 'zustand/vanilla';

/** The same listener; what it throws goes to the console, and keeps neither other listeners nor whoever tells them from going on. */
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
