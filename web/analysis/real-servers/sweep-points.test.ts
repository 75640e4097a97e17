import { expect, test } from 'vitest';

import type { MeasuredServer } from '../../contract/real-servers/measured-server.mjs';
import {
  asMultiples,
  commonClients,
  enginePoints,
  serverPoints,
  sweepFigures,
  type SweptRun,
} from './sweep-points';

const server: MeasuredServer = {
  name: 'mysql-9',
  version: '9.7.4',
  packaged: null,
  measured_at: '2026-11-23',
  cpu_model: 'a CPU',
  cores: 64,
  experiments: [
    {
      experiment: 'undo_read',
      runs: [
        { clients: 8, counts: { 'fil_system per undo record read': 1.01 }, operations_per_s: 300 },
        {
          clients: 1,
          counts: { 'fil_system per undo record read': 1, 'page_hash per undo record read': 1 },
          operations_per_s: 100,
        },
      ],
    },
    {
      experiment: 'undo_read_cpu',
      runs: [{ clients: 1, counts: { 'CPU ns per row': 1 }, operations_per_s: null }],
    },
  ],
};

const run = (clients: number, tps: number, undoReads: number): SweptRun => ({
  clients,
  tps,
  run: {
    latches: [{ latch: 'Fil_shard::m_mutex', acquisitions: 100 }],
    count: (name) => (name === 'undo_reads' ? undoReads : 0),
  },
});

test('throughput comes first, then the counts that the runs also have; costs are not swept', () => {
  const titles = (runs: SweptRun[]) => sweepFigures(server, runs).map(({ figure }) => figure);
  expect(titles([])).toEqual([null, 'fil_system per undo record read', 'page_hash per undo record read']);
  expect(titles([run(1, 10, 100)])).toEqual([null, 'fil_system per undo record read']);
});

test('points are by the number of clients; the engine’s are means of its repeats', () => {
  const [throughput, filSystem] = sweepFigures(server, []);
  expect(serverPoints(server, throughput!)).toEqual([
    { clients: 1, value: 100 },
    { clients: 8, value: 300 },
  ]);
  expect(serverPoints(server, filSystem!).map(({ value }) => value)).toEqual([1, 1.01]);
  const runs = [run(8, 30, 50), run(1, 10, 100), run(1, 20, 25), run(16, 5, 0)];
  expect(enginePoints(runs, throughput!)).toEqual([
    { clients: 1, value: 15 },
    { clients: 8, value: 30 },
    { clients: 16, value: 5 },
  ]);
  // A run without undo reads has no such figures.
  expect(enginePoints(runs, filSystem!)).toEqual([
    { clients: 1, value: 2.5 },
    { clients: 8, value: 2 },
  ]);
});

test('throughputs are compared as multiples of the fewest clients that all have', () => {
  const a = [1, 4, 8].map((clients) => ({ clients, value: 10 * clients }));
  const b = [4, 8].map((clients) => ({ clients, value: clients }));
  expect(commonClients([a, b])).toBe(4);
  expect(commonClients([a, b, []])).toBe(4);
  expect(commonClients([a, [{ clients: 3, value: 1 }]])).toBeNull();
  expect(asMultiples(a, 4).map(({ value }) => value)).toEqual([0.25, 1, 2]);
  expect(asMultiples(a, 5)).toEqual([]);
});
