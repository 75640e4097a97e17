// Runs a command of the engine's command line in a process of its own. It compiles the sources of
// latches and workloads first and chooses the program of the command's platform. docs/reference/command-line.md
// lists the exit codes.
import { spawn } from 'node:child_process';
import { constants, createReadStream, openSync, readFileSync, statSync } from 'node:fs';
import { Socket } from 'node:net';

import { ENDING_SIGNALS, endByItself, passSignalsTo } from './interruption.mjs';
import { findOption, usageError } from './command-line.mjs';
import { checkCommand } from './check-command.mjs';
import { importCommand } from './import-command.mjs';
import { compileFile, labCommand } from './lab-command.mjs';
import { EngineFailed } from './native-engine.mjs';
import { EXIT } from './processes.mjs';
import { describeFailure } from './program.mjs';
import { SetupError } from './setup/progress.mjs';
import {
  compileWorkloadFile,
  isWorkloadFile,
  withParametersInUnits,
  workloadFileIn,
} from './workload-file.mjs';

const SPEC_BYTES_MAX = 1024 * 1024; // From wasm-engine/cli/spec_file.h
const WRITER_WAIT_MS = 5_000;

/** Reads slightly more than is allowed, so that the engine notices a text that is too large. */
async function readText(stream) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > SPEC_BYTES_MAX) break;
  }
  return textOf(Buffer.concat(chunks).subarray(0, SPEC_BYTES_MAX + 1));
}

/** Some editors begin a file with a byte order mark. It is no part of the text. */
const textOf = (bytes) => bytes.toString('utf8').replace(/^\uFEFF/, '');

/** Opens a pipe without waiting indefinitely for a writer. */
async function readPipe(path) {
  const pipe = new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) });
  const giveUp = setTimeout(() => pipe.destroy(), WRITER_WAIT_MS);
  pipe.once('readable', () => clearTimeout(giveUp));
  try {
    return await readText(pipe);
  } finally {
    clearTimeout(giveUp);
  }
}

/**
 * Reads inputs that can be read only once. The engine reads a regular file again and reports its
 * faults.
 */
async function readSpec(path) {
  if (path === '-') return { text: await readText(process.stdin) };
  const status = statSync(path);
  if (status.isFIFO()) return { text: await readPipe(path) };
  if (status.isCharacterDevice()) return { text: await readText(createReadStream(path)) };
  return status.isFile() && status.size <= SPEC_BYTES_MAX ? { fileText: textOf(readFileSync(path)) } : {};
}

async function readSpecOrNothing(path) {
  try {
    return await readSpec(path);
  } catch {
    return {};
  }
}

function platformOf(text) {
  try {
    return JSON.parse(text)?.platform;
  } catch {
    return undefined;
  }
}

/** Commands that exist only on the virtual platform. */
const VIRTUAL_COMMANDS = ['what-if', 'explain', 'diff'];

/**
 * Returns the program to run, its arguments, and its standard input if it was already read. Returns
 * undefined if the command is already complete.
 */
async function chooseProgram(args) {
  if (args[0] === 'check') return checkCommand(args.slice(1), readSpecOrNothing);
  if (args[0] === 'import') return importCommand(args.slice(1));
  if (args[0] === 'lab') {
    const compiled = await labCommand(args, readSpecOrNothing);
    return compiled && { ...compiled, platform: 'virtual' };
  }
  const chosen = await chooseByOptions(args);
  const ofCommand = VIRTUAL_COMMANDS.includes(args[0]) ? 'virtual' : undefined;
  return { ...chosen, platform: chosen.platform ?? ofCommand };
}

/** Commands that run a spec, which may contain a workload and a latch of the user's. */
const SPEC_COMMANDS = ['run', ...VIRTUAL_COMMANDS];
const YOUR_LATCH = '--your-latch';
const IDEAL_MACHINE = '--ideal-machine';
const SOURCES_HELP = `
Sources, compiled before the run:
  FILE.workload               A workload file, alone or as --scenario; its --param take units, such as
                              cost=40us
  --your-latch FILE           A latch of the latch lab, behind the variant named yours
  --ideal-machine             virtual: the server ideal-machine, on which nothing but the workload takes time
`;
const isHelp = (arg) => arg === '--help' || arg === '-h';

const describesFile = ([command, file]) => command === 'describe' && isWorkloadFile(file);

async function chooseByOptions(given) {
  const isOfSpec = SPEC_COMMANDS.includes(given[0]) || describesFile(given);
  const workload = isOfSpec ? workloadFileIn(given) : undefined;
  const args = isOfSpec ? onIdealMachine(workload?.rest ?? given) : given;
  const latch = isOfSpec ? findOption(args, YOUR_LATCH) : undefined;
  if (workload !== undefined || latch !== undefined)
    return chooseWithSources(workload?.file, latch, latch?.rest ?? args);
  const platform = findOption(args, '--platform')?.value;
  const spec = findOption(args, '--spec');
  if (platform !== undefined || !spec?.value) return { platform, args };
  const { text, fileText } = await readSpecOrNothing(spec.value);
  if (text === undefined) return { platform: platformOf(fileText), args };
  return { platform: platformOf(text), args: [...spec.rest, '--spec', '-'], input: text };
}

/** The flag is short for a server without costs, with a core for each thread. */
function onIdealMachine(args) {
  if (!args.includes(IDEAL_MACHINE)) return args;
  const server = findOption(args, '--server');
  if (server !== undefined) throw usageError('--server', server.value, `nothing beside ${IDEAL_MACHINE}`);
  return [...args.filter((arg) => arg !== IDEAL_MACHINE), '--server', 'ideal-machine'];
}

/**
 * Passes a run spec with the compiled workload and latch on standard input. Options in `args`
 * override the spec.
 */
async function chooseWithSources(workloadFile, latch, args) {
  const spec = findOption(args, '--spec');
  if (latch !== undefined && (!latch.value || (latch.value === '-' && spec?.value === '-')))
    throw usageError(YOUR_LATCH, latch.value, 'the file of a latch, or - unless --spec is -');
  const sources = {};
  if (workloadFile !== undefined) {
    sources.scenario = 'workload';
    sources.workload = await compileWorkloadFile(workloadFile, readSpecOrNothing);
  }
  if (latch !== undefined) {
    const { source, program } = await compileFile(latch.value, readSpecOrNothing, YOUR_LATCH);
    sources.latch = { source, program };
  }
  const read = spec === undefined ? { text: '{"version": 1}' } : await readSpecOrNothing(spec.value);
  const given = objectOf(read.text ?? read.fileText);
  // The engine reports the faults of the file.
  const input = given === undefined ? read.text : JSON.stringify({ ...given, ...sources });
  const platform = findOption(args, '--platform')?.value ?? given?.platform;
  if (input === undefined) return { platform, args };
  const options = [...(spec?.rest ?? args), '--spec', '-'];
  const { workload } = sources;
  return {
    platform,
    args: workload === undefined ? options : await withParametersInUnits(options, workload.program),
    input,
  };
}

function objectOf(text) {
  try {
    const json = JSON.parse(text);
    return json?.constructor === Object ? json : undefined;
  } catch {
    return undefined;
  }
}

function runProgram([program, ...first], args, input) {
  const child = spawn(program, [...first, '--parent', String(process.pid), ...args], {
    stdio: [input === undefined ? 'inherit' : 'pipe', 'inherit', 'inherit'],
  });
  passSignalsTo(child);
  child.stdin?.on('error', () => {}); // It may end before it reads all input.
  child.stdin?.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
}

/**
 * Ends as the engine did. One key press can reach this program more than once, also through npm; a
 * late signal must not change the exit code.
 */
function endAs({ code, signal }) {
  if (signal === null) {
    process.exit(code); // A normal return would first restore the signals' default actions.
  } else if (ENDING_SIGNALS.includes(signal)) {
    endByItself(signal);
  } else {
    console.error(`latchscope: the engine was ended by ${signal}`);
    process.exitCode = EXIT.engineFailed;
  }
}

/**
 * Reports that the engine could not be built or started, or failed. Rethrows errors that all
 * programs handle alike.
 */
function fail(error) {
  const { exitCode } = describeFailure(error);
  if (exitCode !== EXIT.failed) throw error;
  console.error(`latchscope: ${inWords(error)}`);
  if (error.remedy) console.error(`What to do: ${error.remedy}`);
  process.exitCode = EXIT.engineFailed;
}

function inWords(error) {
  if (error instanceof EngineFailed) return error.message;
  if (error instanceof SetupError) return `the engine could not be built: ${error.message}`;
  const what = error.syscall?.startsWith('spawn') ? 'could not be started' : 'failed';
  return `the engine ${what}: ${error.message}`;
}

/**
 * Runs a command to its end, and ends this process as the engine did.
 * @param {string[]} args
 * @param {(platform: 'threads' | 'virtual') => Promise<string[]>} programOf returns the program of a
 *   platform and its first arguments
 */
export async function runEngineCommand(args, programOf) {
  try {
    const chosen = await chooseProgram(args);
    if (chosen === undefined) return;
    const program = await programOf(chosen.platform === 'virtual' ? 'virtual' : 'threads');
    const ended = await runProgram(program, chosen.args, chosen.input);
    if (ended.code === 0 && SPEC_COMMANDS.includes(args[0]) && args.some(isHelp))
      process.stdout.write(SOURCES_HELP);
    endAs(ended);
  } catch (error) {
    fail(error);
  }
}
