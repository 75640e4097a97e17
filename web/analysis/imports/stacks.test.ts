import { expect, test } from 'vitest';

import { countedStacks, debuggerStacks, foldedStacks } from './stacks';
import { faultOf, readText, sampleOf } from './test-fixtures/read';

test('equal stacks of threads are added up, innermost function first', () => {
  const [imported] = readText(debuggerStacks, sampleOf('gdb-threads'));
  expect(imported).toMatchObject({ kind: 'stacks' });
  const { stacks } = imported as Extract<typeof imported, { kind: 'stacks' }>;
  expect(stacks.map(({ count }) => count)).toEqual([2, 1, 1, 1, 1]);
  expect(stacks[0]!.frames).toEqual([
    '__futex_abstimed_wait_common64',
    '___pthread_cond_wait',
    'os_event::wait',
    'os_event_wait_low',
    'sync_array_wait_event',
    'TTASEventMutex<GenericPolicy>::wait',
    'PolicyMutex<TTASEventMutex<GenericPolicy> >::enter',
    'fil_space_get',
    'buf_page_get_gen',
    'dispatch_command',
    'do_command',
    'start_thread',
  ]);
  expect(stacks.map(({ frames }) => frames)).toContainEqual([
    '<signal handler>',
    'row_search_mvcc',
    'dispatch_command',
  ]);
  expect(stacks.at(-1)!.frames.at(-1)).toBe('??');
});

test('the frame that gdb repeats at its end is no thread', () => {
  const text = `${sampleOf('gdb-threads')}#0  0x00007f0000000001 in __GI___poll () from /lib/libc.so.6\n`;
  expect(readText(debuggerStacks, text)).toEqual(readText(debuggerStacks, sampleOf('gdb-threads')));
});

test('eu-stack and pt-eustack number their frames alike', () => {
  const euStack = [
    'PID 41 - process',
    'TID 41:',
    '#0  0x00007f2763f18bcf __poll - /usr/lib/libc.so.6   ../sysdeps/poll.c:29:10',
    '#1  0x000055be68770708 mysqld_main(int, char**) - /usr/sbin/mysqld',
    'TID 42:',
    '#0 0x00007f2764a91279 in io_getevents from /usr/lib/libaio.so.1.0.1',
    '#1 0x000055be69b962cb in LinuxAIOHandler::collect() at os0file.cc:2383:28',
  ].join('\n');
  expect(readText(debuggerStacks, euStack)).toEqual([
    {
      kind: 'stacks',
      stacks: [
        { frames: ['__poll', 'mysqld_main'], count: 1 },
        { frames: ['io_getevents', 'LinuxAIOHandler::collect'], count: 1 },
      ],
    },
  ]);
});

test('a debugger may wrap lines, and list one thread without heading', () => {
  const text =
    '#0  0x00007f01 in read () from /lib/libc.so.6\n#1  0x00007f02 in vio_read (buf=0x1,\n    size=4) at vio.c:9';
  expect(readText(debuggerStacks, text)).toMatchObject([{ stacks: [{ frames: ['read', 'vio_read'] }] }]);
});

test('a debugger’s list without its beginning or end is refused', () => {
  const text = sampleOf('gdb-threads');
  const lines = text.split('\n');
  const heading = lines.findIndex((line) => line.startsWith('Thread 5'));
  expect(faultOf(() => readText(debuggerStacks, lines.slice(0, heading + 1).join('\n')))).toEqual({
    field: 'line 21',
    value: 'the end of the thread of line 21',
    allowed: 'its frames',
  });
  expect(faultOf(() => readText(debuggerStacks, lines.slice(9).join('\n')))).toMatchObject({
    field: 'line 1',
    value: 'frame 2',
  });
  const withoutStart = text.replace('#0  ___pthread_cond_wait', '    ___pthread_cond_wait');
  expect(faultOf(() => readText(debuggerStacks, withoutStart)).value).toBe('frame 1');
  const mixed = text.replace('#11 0x00007f00000000f5', '#3  0x00007f00000000f5');
  expect(faultOf(() => readText(debuggerStacks, mixed))).toMatchObject({
    field: 'line 19',
    value: 'frame 3',
  });
});

test('pt-pmp counts stacks; what it left of a cut name is left out', () => {
  const [imported] = readText(countedStacks, sampleOf('pt-pmp'));
  const { stacks } = imported as Extract<typeof imported, { kind: 'stacks' }>;
  expect(stacks.map(({ count }) => count)).toEqual([12, 7, 3, 1]);
  expect(stacks[0]!.frames.slice(0, 4)).toEqual([
    '__lll_lock_wait',
    'pthread_mutex_lock',
    'inline_mysql_mutex_lock',
    'MYSQL_BIN_LOG::purge_logs',
  ]);
  expect(stacks[3]!.frames).toEqual([
    'std::_Map<int,char>::find',
    'std::__invoke_impl',
    'start_thread',
    'clone',
  ]);
});

test.each([
  [countedStacks, '3 a,b\n1.234 a,c', '1.234'],
  [countedStacks, '3 a,b\na,c', 'a,c'],
  [foldedStacks, 'a;b 3\na;c 1,5', '1,5'],
  [foldedStacks, 'a;b 3\na;b', 'a;b'],
  [foldedStacks, 'a;b 3\na;b 3 4', '3 4'],
])('%o refuses %s', (form, text, value) => {
  expect(faultOf(() => readText(form, text))).toMatchObject({ field: 'line 2', value });
});

test('folded stacks are turned around; marks and offsets go', () => {
  expect(readText(foldedStacks, sampleOf('folded'))).toEqual([
    {
      kind: 'stacks',
      stacks: [
        {
          frames: [
            'futex_wait',
            'srw_lock_impl<true>::psi_wr_lock',
            'trx_commit',
            'dispatch_command',
            'do_command',
            'start_thread',
            'clone3',
            'mysqld',
          ],
          count: 42,
        },
        {
          frames: [
            '??',
            'row_search_mvcc',
            'dispatch_command',
            'do_command',
            'start_thread',
            'clone3',
            'mysqld',
          ],
          count: 12,
        },
        { frames: ['poll', 'main', 'mysqld'], count: 3 },
      ],
    },
  ]);
});

test('hidden characters, endless recursion and empty texts are refused', () => {
  expect(faultOf(() => readText(foldedStacks, 'a;b\u202Ec 3')).allowed).toContain(
    'without hidden characters',
  );
  const deep = `${'a;'.repeat(100_000)}b 1`;
  expect(faultOf(() => readText(foldedStacks, deep)).value).toBe('100001 frames');
  for (const form of [debuggerStacks, countedStacks, foldedStacks]) {
    expect(faultOf(() => readText(form, '')).allowed).toBe('at least one stack');
  }
});

test('names such as __proto__ are names', () => {
  expect(readText(foldedStacks, '__proto__;constructor 2')).toMatchObject([
    { stacks: [{ frames: ['constructor', '__proto__'], count: 2 }] },
  ]);
});
