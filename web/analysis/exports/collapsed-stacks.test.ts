import { expect, test } from 'vitest';

import { collapsedStacks } from './speedscope';

/** Parses like flamegraph.pl: text up to the last blank is the stack, the rest its count. */
function readFolded(text: string) {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [, stack, count] = /^(.+) (\d+)$/.exec(line) ?? [];
      expect(stack, line).toBeDefined();
      return { frames: stack!.split(';'), samples: Number(count) };
    });
}

test('every stack is read back', () => {
  const stacks = [
    { frames: ['handle_connection', 'Sql_cmd_dml::execute', '(anonymous) f'], samples: 11 },
    { frames: ['srv_worker_thread'], samples: 9 },
  ];
  expect(readFolded(collapsedStacks(stacks))).toEqual(stacks);
});

test('names contain no separators, and a stack without frames gives no line', () => {
  const text = collapsedStacks([
    { frames: ['a;b', 'c\nd'], samples: 1 },
    { frames: [], samples: 5 },
  ]);
  expect(readFolded(text)).toEqual([{ frames: ['a:b', 'c d'], samples: 1 }]);
});
