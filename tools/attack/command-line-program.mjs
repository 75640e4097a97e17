// Starts the command line's programs for the attacks, and checks what every exit must look like.
//   LATCHSCOPE_ATTACK_FLAVOUR   the native build to attack on the platform `threads`, such as asan; default native
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { buildNative } from '../builds.mjs';

const FLAVOUR = process.env.LATCHSCOPE_ATTACK_FLAVOUR ?? 'native';
const ERROR_LINE_MAX = 1200;
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e]/;

/** Exit codes of a good run and of bad usage. */
export const OK = 0;
export const BAD_USAGE = 2;
export const CANNOT_WRITE = 4;

/** Builds the programs, and makes a folder for the files of the attacks. */
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

/** Starts a program with its outputs collected; `ended` resolves to them, its exit code and its signal. */
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

/** An error is reported in lines that a terminal can show. */
export function assertRefused({ stderr }) {
  assert.notEqual(stderr, '', 'bad usage without a word');
  assert.doesNotMatch(stderr, UNPRINTABLE);
  for (const line of stderr.split('\n'))
    assert.ok(line.length <= ERROR_LINE_MAX, `${line.length} characters: ${line}`);
}

/** Every number is finite. */
export function assertFinite(text) {
  assert.doesNotMatch(text, /(^|[^a-z_])-?(nan|inf)\b/i);
}
