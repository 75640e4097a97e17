// Tests concurrent work items and the capture of their output.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CommandFailed, keepingOutput, runCommand } from '../processes.mjs';
import { sideBySide } from './side-by-side.mjs';

const node = (script) => runCommand(process.execPath, ['-e', script]);

test('as many as allowed run at once, in turn, and the results keep their order', async () => {
  let running = 0;
  const most = [];
  const ends = [];
  const works = sideBySide(['a', 'b', 'c'], 2, async (name) => {
    running += 1;
    most.push(running);
    await new Promise((resolve) => ends.push(resolve));
    running -= 1;
    return name;
  });
  assert.equal(ends.length, 2);
  ends[1]();
  await new Promise(setImmediate);
  assert.equal(ends.length, 3);
  ends[2]();
  ends[0]();
  assert.deepEqual(await works, ['a', 'b', 'c']);
  assert.deepEqual(most, [1, 2, 2]);
});

test('captured output of concurrent work is separate, including standard error and output of this process', async () => {
  const [one, other] = await Promise.all([
    keepingOutput(() => node('console.log("one"); console.error("of one")')),
    keepingOutput(async () => {
      console.log('before');
      await node('console.log("other")');
    }),
  ]);
  assert.deepEqual(one.output.split('\n').sort(), ['', 'of one', 'one']);
  assert.equal(other.output, 'before\nother\n');
  assert.equal(one.error, undefined);
});

test('a failed program keeps its output', async () => {
  const { output, error } = await keepingOutput(() => node('console.log("so far"); process.exit(3)'));
  assert.equal(output, 'so far\n');
  assert.ok(error instanceof CommandFailed && error.outcome === 3);
});
