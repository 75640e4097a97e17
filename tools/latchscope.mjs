// The native command line: builds it if need be, then hands the arguments over. Each platform has a program of its own; the
// option --platform, or the run spec, says which one.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { buildCommandLine, exitWith } from './build.mjs';

/** The value of an option, written as "--name value" or "--name=value". */
function option(args, name) {
  const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`));
  if (at < 0) return undefined;
  return args[at] === name ? args[at + 1] : args[at].slice(name.length + 1);
}

/** What the run spec on standard input or in a file says; what is wrong with it, the engine will say. */
function readSpec(path) {
  try {
    const text = readFileSync(path === '-' ? 0 : path, 'utf8');
    return { text, platform: JSON.parse(text).platform };
  } catch {
    return {};
  }
}

try {
  const args = process.argv.slice(2);
  const path = option(args, '--spec');
  const spec = path === undefined ? {} : readSpec(path);
  const platform = option(args, '--platform') ?? spec.platform;
  const folder = await buildCommandLine(platform === 'virtual' ? 'virtual' : 'threads');
  const fromStandardInput = path === '-' && spec.text !== undefined;
  const { status, error } = spawnSync(join(folder, 'latchscope'), args, {
    stdio: [fromStandardInput ? 'pipe' : 'inherit', 'inherit', 'inherit'],
    ...(fromStandardInput ? { input: spec.text } : {}),
  });
  if (error) throw error;
  process.exitCode = status ?? 1;
} catch (error) {
  exitWith(error);
}
