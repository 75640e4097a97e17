import { describe, expect, test } from 'vitest';

import { valuesOfServer } from '../../contract/servers';
import { clientsInWords, cpusInUse, mainCosts, shapeInWords } from './cpus-in-use';

const sandyBridge = valuesOfServer('snb-ep-2013');
const milan = valuesOfServer('epyc-cloud-2025');

describe('clients take CPUs as the model gives them', () => {
  test('sockets in turn, and idle cores before second threads', () => {
    expect(cpusInUse(sandyBridge, 3)).toEqual([[[1, 1, 0, 0, 0, 0, 0, 0]], [[1, 0, 0, 0, 0, 0, 0, 0]]]);
    expect(cpusInUse(sandyBridge, 18)).toEqual([[[2, 1, 1, 1, 1, 1, 1, 1]], [[2, 1, 1, 1, 1, 1, 1, 1]]]);
    expect(cpusInUse(sandyBridge, 54)).toEqual([[Array(8).fill(2)], [Array(8).fill(2)]]);
  });

  test('complexes in turn', () => {
    expect(cpusInUse(milan, 4)).toEqual([
      [
        [1, 1, 0, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0, 0, 0],
      ],
    ]);
    expect(cpusInUse({ ...milan, cores_per_socket: 10 }, 0)).toEqual([[Array(8).fill(0), [0, 0]]]);
  });
});

test('what follows is said in words', () => {
  expect(shapeInWords(sandyBridge)).toBe('2 sockets × 8 cores × 2 threads = 32 CPUs');
  expect(shapeInWords(milan)).toBe('1 socket × 24 cores = 24 CPUs');
  expect(clientsInWords(sandyBridge, 54)).toBe('54 clients share 32 CPUs: they take turns of up to 3 ms.');
  expect(clientsInWords(sandyBridge, 31)).toBe('Each client has its own CPU; 1 CPU is idle.');
  expect(clientsInWords(milan, 24)).toBe('Each client has its own CPU.');
  expect(clientsInWords(milan, 1)).toBe('The client has its own CPU; 23 CPUs are idle.');
});

test('the main costs are those that this server has', () => {
  expect(mainCosts(sandyBridge)).toEqual([
    { title: 'A cache line within a socket', ns: 50 },
    { title: 'A cache line from the other socket', ns: 119 },
    { title: 'A context switch', ns: 1500 },
  ]);
  expect(mainCosts(milan).map(({ title, ns }) => `${title}: ${ns}`)).toEqual([
    'A cache line within an L3 cache: 23',
    'A cache line across L3 caches: 107',
    'A context switch: 1500',
  ]);
  expect(mainCosts({ ...milan, sockets: 4 })).toContainEqual({
    title: 'A cache line from another socket',
    ns: 197,
  });
});
