// Builds the command-line programs for the attacks, and checks how they exit.
//   LATCHSCOPE_ATTACK_FLAVOUR   the native build to attack on platform `threads`, such as asan;
//                               default: native
import assert from 'node:assert/strict';
import { join } from 'node:path';

import { buildNative } from '../../tools/builds.mjs';
import { inTemporaryFolder } from '../../tools/interruption.mjs';

const FLAVOUR = process.env.LATCHSCOPE_ATTACK_FLAVOUR ?? 'native';
const ERROR_LINE_MAX = 1200;
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e]/;

/** Builds the programs and creates a folder for the files of the attacks. */
export async function withPrograms(use) {
  const program = async (flavour) =>
    join((await buildNative(flavour, { target: 'latchscope' })).folder, 'latchscope');
  const programs = { threads: await program(FLAVOUR), virtual: await program('virtual') };
  await inTemporaryFolder('attack', (folder) => use({ programs, folder }));
}

/** Asserts that the program printed an error whose lines a terminal can show. */
export function assertRefused({ errors }) {
  assert.notEqual(errors, '', 'bad usage without an error message');
  assert.doesNotMatch(errors, UNPRINTABLE);
  for (const line of errors.split('\n'))
    assert.ok(line.length <= ERROR_LINE_MAX, `${line.length} characters: ${line}`);
}

/** Asserts that no number is infinite or NaN. */
export function assertFinite(text) {
  assert.doesNotMatch(text, /(^|[^a-z_])-?(nan|inf)\b/i);
}
