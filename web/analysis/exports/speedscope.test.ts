import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { expect, test } from 'vitest';
import * as z from 'zod';

import { speedscopeFile } from './speedscope';

// Speedscope's own JSON schema of the files that it reads.
const schemaFile = createRequire(import.meta.url).resolve('speedscope/dist/release/file-format-schema.json');
const readBySpeedscope = z.fromJSONSchema(
  JSON.parse(readFileSync(schemaFile, 'utf8')) as z.core.JSONSchema.JSONSchema,
);

const stacks = [
  { frames: ['handle_connection', 'dispatch_command', 'row_search_mvcc'], samples: 11 },
  { frames: ['srv_worker_thread'], samples: 9 },
  { frames: ['handle_connection', 'dispatch_command'], samples: 3 },
];
const name = { name: 'bug #117533, original', exporter: 'Latchscope 0.1.0' };

test('it is what speedscope’s schema describes', () => {
  for (const file of [speedscopeFile(stacks, name), speedscopeFile([], name)])
    expect(readBySpeedscope.safeParse(file)).toMatchObject({ success: true });
  expect(readBySpeedscope.safeParse({ ...speedscopeFile(stacks, name), profiles: 7 }).success).toBe(false);
});

test('frames are shared, outermost first, and weights are samples', () => {
  const { shared, profiles } = speedscopeFile(stacks, name);
  expect(new Set(shared.frames.map((frame) => frame.name)).size).toBe(shared.frames.length);
  const [profile] = profiles;
  expect(profile!.samples.map((frames) => frames.map((index) => shared.frames[index]!.name))).toEqual(
    stacks.map(({ frames }) => frames),
  );
  expect(profile).toMatchObject({ weights: [11, 9, 3], startValue: 0, endValue: 23, unit: 'none' });
});
