// Starts programs for tests and attacks, and collects their output.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Starts a program.
 * - `ended` resolves to its exit code, the signal that ended it, and its output.
 * - `seen(stream, pattern)` resolves to its output once the program has printed the pattern.
 * @param {string[]} program its path and first arguments
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options]
 */
export function startProgramOfTest(
  [program, ...first],
  args,
  { stdio = ['ignore', 'pipe', 'pipe'], ...options } = {},
) {
  const child = spawn(program, [...first, ...args], { stdio, ...options });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name]?.setEncoding('utf8').on('data', (part) => (text[name] += part));
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...text }));
  const seen = async (name, pattern) => {
    while (!pattern.test(text[name])) {
      const what = await Promise.race([once(child[name], 'data'), ended]);
      if ('code' in what && !pattern.test(text[name]))
        assert.fail(`ended before ${pattern}: ${JSON.stringify(what)}`);
    }
    return text[name];
  };
  return { child, ended, seen };
}
