import assert from 'node:assert/strict';
import { test } from 'node:test';

import { storedTextFaults } from './stored-texts.mjs';

test('documents quote the stored figures (npm run evidence -- reproduction --stored --update)', async () => {
  assert.deepEqual(await storedTextFaults(), []);
});
