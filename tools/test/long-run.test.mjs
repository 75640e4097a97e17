import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { repository } from '../processes.mjs';
import { heldByLongRun, lastGreen, lastGreenIn, withLastGreen } from './long-run.mjs';

const document = readFileSync(join(repository, 'CONTRIBUTING.md'), 'utf8');

test('CONTRIBUTING.md lists what npm run test:long runs, and has the line that it updates', () => {
  const [, section] = document.split('## The long run\n');
  const listed = [...section.split('\n## ')[0].matchAll(/^- (.*(?:\n {2}.*)*)/gm)].map(([, item]) =>
    item.replaceAll(/\n +/g, ' '),
  );
  assert.deepEqual(listed, heldByLongRun);
  assert.match(
    lastGreen(),
    /^(Last green: \d{4}-\d\d-\d\d, commit [0-9a-f]{10}, [\d,]+ seconds\.|No green run is written down yet\.)$/,
  );
});

test('the line is replaced, and nothing else', () => {
  const run = { date: '2026-11-23', commit: '0123456789', seconds: 7654.3 };
  const after = withLastGreen(document, run);
  assert.equal(lastGreenIn(after), 'Last green: 2026-11-23, commit 0123456789, 7,654 seconds.');
  assert.equal(withLastGreen(after, { ...run, seconds: 1 }).length, after.length - 4);
  assert.equal(after.replace(lastGreenIn(after), lastGreen()), document);
  assert.throws(() => lastGreenIn('# Something else'), /CONTRIBUTING\.md has no line/);
});
