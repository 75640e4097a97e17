// Follows docs/guide/modeling-a-bug.md word for word: writes its files, runs its commands and
// compares what they print. The blocks are those of `check-adding-a-bug`; a file may be written
// again.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { codeBlocks, linesNotPrinted } from './commands/check-adding-a-bug.mjs';
import { repository } from './processes.mjs';
import { filesOfTest } from './test-hosts/latchscope.mjs';

const GUIDE = join(repository, 'docs/guide/modeling-a-bug.md');
const CLI = join(repository, 'tools/cli.mjs');
const file = filesOfTest('guide');

/** In the guide `latchscope` is the installed command. */
const withCommand = (commands) =>
  `latchscope() { "${process.execPath}" "${CLI}" latchscope "$@"; }\n${commands}`;

test('the tutorial works as it is written', () => {
  const blocks = codeBlocks(readFileSync(GUIDE, 'utf8'));
  const folder = dirname(file('empty', ''));
  let printed = '';
  let compared = 0;
  for (const { line, info, text } of blocks) {
    if (info.endsWith('.workload')) {
      file(info, text);
    } else if (info === 'run') {
      const ran = spawnSync('sh', ['-e', '-c', withCommand(text)], { cwd: folder, encoding: 'utf8' });
      assert.equal(ran.status, 0, `line ${line}: ${ran.stderr}`);
      printed = ran.stdout;
    } else {
      assert.equal(info, 'printed', `line ${line} has a block of no use`);
      assert.deepEqual(linesNotPrinted(text, printed), [], `line ${line}; printed:\n${printed}`);
      compared += 1;
    }
  }
  assert.ok(compared >= 6, 'the tutorial shows what its commands print');
});
