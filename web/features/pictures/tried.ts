// Stores the outcomes of runs that ended while this page was open, by value of a picture's slider.
import { useSyncExternalStore } from 'react';
import { createStore } from 'zustand/vanilla';

import type { Manifest } from '../../contract/manifest';
import type { RunSpec } from '../../contract/run-spec';
import { designTitle } from '../../session/designs';

interface Tried {
  value: number;
  outcome: string;
  /** Title of the design. */
  design: string;
}

const store = createStore<Readonly<Record<string, readonly Tried[]>>>(() => ({}));
const none: readonly Tried[] = [];
const TRIED_MAX = 12;

/** Replaces an earlier outcome of the same value and design. Sorts by value. */
export function noteTried(
  manifest: Manifest,
  { design }: RunSpec,
  { value, outcome }: Pick<Tried, 'value' | 'outcome'>,
): void {
  const title = designTitle(manifest, design);
  const before = (store.getState()[manifest.id] ?? none).filter(
    (other) => other.value !== value || other.design !== title,
  );
  const all = [...before, { value, outcome, design: title }].slice(-TRIED_MAX);
  store.setState({ [manifest.id]: all.sort((a, b) => a.value - b.value) });
}

export const useTried = (scenario: string): readonly Tried[] =>
  useSyncExternalStore(store.subscribe, () => store.getState()[scenario] ?? none);
