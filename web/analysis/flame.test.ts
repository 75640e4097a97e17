import { expect, test } from 'vitest';

import {
  flameStacks,
  flameStacksOfRun,
  flameTree,
  mainState,
  matchedSamples,
  nearestNode,
  ROOT_PATH,
  StackCensus,
  type FlameNode,
} from './flame';
import { sampleOf, threadSamplesOf } from './test-fixtures';

const waiting = sampleOf({
  state: 'waiting',
  stack: ['start_thread', 'buf_read_page', 'fil_space_get_version'],
  waitsFor: ['fil_system->mutex', 7],
});
const spinning = sampleOf({ ...waiting, state: 'spinning' });
const reading = sampleOf({ state: 'io', stack: ['start_thread', 'buf_read_page', 'fil_io'] });
const ofServer = sampleOf({ isClient: false, state: 'sleeping', stack: ['io_handler_thread'] });
const samples = threadSamplesOf([
  [waiting, spinning, reading, ofServer],
  [waiting, waiting, sampleOf({ stack: [] }), ofServer],
]);

const outline = ({ name, samples: count, children }: FlameNode): unknown => [
  name,
  count,
  children.map(outline),
];

test('stacks form a tree, callers first, sorted by name, with thread activities as leaves', () => {
  const clients = flameStacks(samples).filter(({ is_client }) => is_client);
  expect(outline(flameTree('clients', clients))).toEqual([
    'clients',
    6,
    [
      ['[no frame]', 1, [['running', 1, []]]],
      [
        'start_thread',
        5,
        [
          [
            'buf_read_page',
            5,
            [
              ['fil_io', 1, [['in I/O', 1, []]]],
              [
                'fil_space_get_version',
                4,
                [
                  ['spinning on fil_system->mutex', 1, []],
                  ['waiting for fil_system->mutex', 3, []],
                ],
              ],
            ],
          ],
        ],
      ],
    ],
  ]);
});

test('frames keep their order however often they are seen', () => {
  const orders = [samples.byMoment, samples.byMoment.toReversed()].map((byMoment) => {
    const root = flameTree('all', flameStacks({ ...samples, byMoment }));
    return root.children.map(({ path }) => path);
  });
  expect(orders[0]).toEqual(orders[1]);
  expect(orders[0]).toHaveLength(3);
});

test('a frame has the color of the state in which most threads below it were', () => {
  const root = flameTree('all', flameStacks(samples));
  expect(root.states).toEqual({ running: 1, spinning: 1, waiting: 3, sleeping: 2, io: 1 });
  expect(mainState(root.states)).toBe('waiting');
  expect(mainState({})).toBeNull();
});

test('a search counts each stack once, wherever the function occurs in it', () => {
  const root = flameTree('start', flameStacks(samples));
  expect(matchedSamples(root, 'FIL_')).toBe(5);
  expect(matchedSamples(root, 'start')).toBe(5);
  expect(matchedSamples(root, 'mutex')).toBe(4);
  expect(matchedSamples(root, 'nothing')).toBe(0);
  expect(matchedSamples(root, '')).toBe(0);
});

test('a zoomed frame is found again, or else its caller', () => {
  const root = flameTree('all', flameStacks(samples));
  const version = root.children
    .flatMap(({ children }) => children)
    .flatMap(({ children }) => children)
    .find(({ name }) => name === 'fil_space_get_version')!;
  expect(nearestNode(root, version.path)).toBe(version);
  expect(nearestNode(root, `${version.path}\ngone`)).toBe(version);
  expect(nearestNode(root, '\nno such thread').path).toBe(ROOT_PATH);
});

test('a census is the sum of its samples', () => {
  const census = new StackCensus();
  for (const threads of samples.byMoment) census.add(threads);
  const stacks = census.stacks(samples);
  expect(stacks).toEqual(flameStacks(samples));
  expect(stacks.find(({ doing }) => doing === 'waiting for fil_system->mutex')?.samples).toBe(3);
});

test('stacks of a run result get their threads and states from the page’s samples', () => {
  const run = [
    { frames: ['start_thread', 'buf_read_page', 'fil_space_get_version'], samples: 100 },
    { frames: ['start_thread', 'never_seen'], samples: 10 },
    { frames: ['io_handler_thread'], samples: 50 },
    { frames: ['unknown_thread'], samples: 1 },
  ];
  const [version, unseen, handler, unknown] = flameStacksOfRun(run, flameStacks(samples));
  expect(version).toMatchObject({
    is_client: true,
    samples: 100,
    doing: null,
    states: { waiting: 75, spinning: 25 },
  });
  expect(unseen).toMatchObject({ is_client: true, states: {} });
  expect(handler).toMatchObject({ is_client: false, states: { sleeping: 50 } });
  expect(unknown).toMatchObject({ is_client: null, states: {} });
});
