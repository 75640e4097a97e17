import { afterEach, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';

import { History, historyColumns, type HistoryRow } from './history';
import { LaneHistory } from './lane-history';
import { withGuardedListeners } from './listeners';

afterEach(() => {
  vi.restoreAllMocks();
});

const row = Object.fromEntries(historyColumns.map((name) => [name, 1])) as HistoryRow;
const fail = () => {
  throw new Error('a chart');
};

const store = withGuardedListeners(createStore(() => ({ count: 0 })));
const history = new History();
const lanes = new LaneHistory();

test.each<[string, (listener: () => void) => () => void, () => void]>([
  [
    'the store',
    (listener) => store.subscribe(listener),
    () => store.setState({ count: store.getState().count + 1 }),
  ],
  ['the history', (listener) => history.subscribe(listener), () => history.append(row)],
  ['the lanes', (listener) => lanes.subscribe(listener), () => lanes.clear()],
])('a listener of %s that throws does not keep the others from being told', (_, subscribe, tell) => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const listener = vi.fn();
  const unsubscribes = [subscribe(fail), subscribe(listener)];
  tell();
  expect(listener).toHaveBeenCalledTimes(1);
  expect(told).toHaveBeenCalledTimes(1);
  for (const unsubscribe of unsubscribes) unsubscribe();
  tell();
  expect(listener).toHaveBeenCalledTimes(1);
});
