// Starts the command-line programs for the attacks, and checks how they exit.
//   LATCHSCOPE_ATTACK_FLAVOUR   the native build to attack on platform `threads`, such as asan;
//                               default: native
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildNative } from '../../tools/builds.mjs';

const FLAVOUR = process.env.LATCHSCOPE_ATTACK_FLAVOUR ?? 'native';
const ERROR_LINE_MAX = 1200;
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e]/;

/** Exit codes of the command line (docs/reference/command-line.md). */
export const OK = 0;
export const BAD_USAGE = 2;
export const CANNOT_WRITE = 4;

/** Builds the programs and creates a folder for the files of the attacks. */
export async function withPrograms(use) {
  const program = async (flavour) =>
    join((await buildNative(flavour, { target: 'latchscope' })).folder, 'latchscope');
  const programs = { threads: await program(FLAVOUR), virtual: await program('virtual') };
  const folder = mkdtempSync(join(tmpdir(), 'latchscope-attack-'));
  try {
    await use({ programs, folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a program. `ended` resolves to its outputs, exit code and signal. */
export function startProgram(program, args, { stdio = ['ignore', 'pipe', 'pipe'], cwd } = {}) {
  const child = spawn(program, args, { stdio, cwd });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name]?.setEncoding('utf8').on('data', (part) => (text[name] += part));
  return { child, ended: once(child, 'close').then(([code, signal]) => ({ code, signal, ...text })) };
}

export async function runProgram(program, args, options) {
  return startProgram(program, args, options).ended;
}

/** Asserts that the program printed an error whose lines a terminal can show. */
export function assertRefused({ stderr }) {
  assert.notEqual(stderr, '', 'bad usage without an error message');
  assert.doesNotMatch(stderr, UNPRINTABLE);
  for (const line of stderr.split('\n'))
    assert.ok(line.length <= ERROR_LINE_MAX, `${line.length} characters: ${line}`);
}

/** Asserts that no number is infinite or NaN. */
export function assertFinite(text) {
  assert.doesNotMatch(text, /(^|[^a-z_])-?(nan|inf)\b/i);
}
