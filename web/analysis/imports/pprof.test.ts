import { Profile, StringTable } from 'pprof-format';
import { expect, test } from 'vitest';

import { contentionText, readPprof } from './pprof';
import { ImportRefused } from './reader';
import { faultOf, readText, sampleOf } from './test-fixtures/read';

const fault = (text: string) => faultOf(() => readText(contentionText, text));

/** Two samples of one stack, with an inlined function, and one of an address alone. */
function profile(types = ['contentions', 'delay'], unit = 'nanoseconds'): Profile {
  const stringTable = new StringTable();
  const text = (string: string) => stringTable.dedup(string);
  return new Profile({
    stringTable,
    sampleType: [
      { type: text(types[0]!), unit: text('count') },
      { type: text(types[1]!), unit: text(unit) },
    ],
    function: [
      { id: 1, name: text('sync.(*Mutex).Unlock') },
      { id: 2, name: text('main.(*cache).get') },
    ],
    location: [
      { id: 1, address: 0x10, line: [{ functionId: 1 }, { functionId: 2 }] },
      { id: 2, address: 0x20 },
    ],
    sample: [
      { locationId: [1, 2], value: [3, 1000] },
      { locationId: [1, 2], value: [2, 5_000_000_000] },
      { locationId: [2], value: [1, 7] },
    ],
  });
}

async function gzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const faultOfBytes = async (bytes: Uint8Array) => {
  const error: unknown = await readPprof(bytes).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ImportRefused);
  return (error as ImportRefused).fault;
};

test('a binary profile, compressed or not, has functions innermost first', async () => {
  const times = [
    {
      kind: 'times',
      rows: [
        {
          line: 0,
          what: 'wait',
          frames: ['sync.(*Mutex).Unlock', 'main.(*cache).get', '0x20'],
          count: 5,
          totalNs: 5_000_001_000,
          maxNs: null,
        },
        { line: 0, what: 'wait', frames: ['0x20'], count: 1, totalNs: 7, maxNs: null },
      ],
    },
  ];
  const bytes = profile().encode();
  expect(await readPprof(bytes)).toEqual(times);
  expect(await readPprof(await gzip(bytes))).toEqual(times);
});

test('a unit other than nanoseconds is converted', async () => {
  const [times] = await readPprof(profile(undefined, 'microseconds').encode());
  expect(times).toMatchObject({ rows: [{ totalNs: 5_000_001_000_000 }, { totalNs: 7000 }] });
});

test('profiles of something else are refused', async () => {
  expect(await faultOfBytes(profile(['samples', 'cpu']).encode())).toEqual({
    field: 'line 1',
    value: 'a profile of samples in count, cpu in nanoseconds',
    allowed: 'a profile of contentions and delay',
  });
  expect((await faultOfBytes(profile(undefined, 'furlongs').encode())).value).toContain('furlongs');
  const empty = profile();
  empty.sample = [];
  expect((await faultOfBytes(empty.encode())).value).toBe('no contention');
});

test('a profile that was cut off anywhere is refused, unless it lacks nothing', async () => {
  const bytes = profile().encode();
  const packed = await gzip(bytes);
  const whole = await readPprof(bytes);
  for (let length = 0; length < bytes.length; length += 1) {
    const read = await readPprof(bytes.subarray(0, length)).catch((error: unknown) => error);
    if (!(read instanceof ImportRefused)) expect(read).toEqual(whole);
  }
  for (let length = 2; length < packed.length; length += 1) {
    expect((await faultOfBytes(packed.subarray(0, length))).value).toBe('a damaged or cut-off gzip file');
  }
});

test('a gzip bomb is refused before it fills the memory', async () => {
  const bomb = await gzip(new Uint8Array(65 * 1024 * 1024));
  expect(bomb.length).toBeLessThan(100_000);
  // Without its end, it would be refused as damaged if it were read so far.
  expect((await faultOfBytes(bomb.subarray(0, -9))).value).toBe('a profile of more than 64 MiB');
});

test.each([
  ['endless number', [0x48, ...Array<number>(100).fill(0xff)]],
  ['length beyond the end', [0x12, 0x7f]],
  ['message as a number', [0x10, 0x01]],
  ['text as a number', [0x30, 0x01]],
  ['unknown message', [0x7a, 0x01, 0x00]],
  ['field of two bytes', [0x80, 0x01, 0x01]],
  ['field zero', [0x00, 0x01]],
  ['fixed number', [0x09, 1, 2, 3, 4, 5, 6, 7, 8]],
  ['not a profile', [...new TextEncoder().encode('Number of threads: 4')]],
])('%s: refused with its byte', async (_, bytes) => {
  expect((await faultOfBytes(new Uint8Array(bytes))).value).toMatch(/^byte \d+ of a binary file$/);
});

test('millions of empty messages are refused before they are decoded', async () => {
  const messages = new Uint8Array(4_000_000);
  for (let at = 0; at < messages.length; at += 2) messages[at] = 0x12;
  expect((await faultOfBytes(messages)).value).toBe('2,000,000 values or more');
});

test('text of a Go program: cycles become nanoseconds', () => {
  const unlock = 'sync.(*Mutex).Unlock';
  expect(readText(contentionText, sampleOf('go-mutex'))).toEqual([
    {
      kind: 'times',
      rows: [
        {
          line: 4,
          what: 'wait',
          frames: [unlock, 'main.(*cache).get', 'main.main.func3'],
          count: 20,
          totalNs: 2_000_000,
          maxNs: null,
        },
        { line: 9, what: 'wait', frames: [unlock], count: 1, totalNs: 500, maxNs: null },
      ],
    },
  ]);
});

test('text of a sampled Go profile is refused: versions of Go differ in its meaning', () => {
  expect(fault(sampleOf('go-mutex').replace('period=1', 'period=100'))).toEqual({
    field: 'line 3',
    value: 'sampling period 100',
    allowed: 'the binary profile, without debug=1, if not every contention is sampled',
  });
});

test('text of C++ is scaled by its period, and has addresses only', () => {
  expect(readText(contentionText, sampleOf('cpp-contention'))).toMatchObject([
    {
      rows: [
        { line: 6, frames: ['0xbccc97', '0xc61202', '0x42ed5f'], count: 2700, totalNs: 100_000 },
        { line: 7, count: 100, totalNs: 5000 },
      ],
    },
  ]);
});

test('text of Java names its functions at the end', () => {
  expect(readText(contentionText, sampleOf('java-contention'))).toMatchObject([
    {
      rows: [
        { line: 6, frames: ['com.example.Pool.take', 'com.example.Server.run'], count: 20, totalNs: 30_000 },
        { line: 7, frames: ['com.example.Log.write'], count: 10, totalNs: 50_000 },
      ],
    },
  ]);
});

test.each([
  ['4000000 20 @', '4.000.000 20 @', 'line 4'],
  ['4000000 20 @', '4000000 @', 'line 4'],
  ['cycles/second=2000000000', 'cycles/second=2,0', 'line 2'],
  ['cycles/second=2000000000', 'cycles/second=0', 'line 2'],
  ['cycles/second=2000000000\n', '', 'line 10'],
])('%s as %s is refused', (from, to, field) => {
  expect(fault(sampleOf('go-mutex').replace(from, to)).field).toBe(field);
});

test('a profile without stacks is refused', () => {
  expect(fault('--- mutex:\ncycles/second=1000\nsampling period=1').value).toBe('no contention');
});
