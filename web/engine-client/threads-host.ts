import type { EngineVersion } from './engine-version';
import type { EngineHost, EngineLoader, Posted, Question } from './engine-host';
import type { EngineModule } from './engine-module';
import { inPlainWords } from './failure-words';
import type { FieldError } from '../contract/field-error';
import { TelemetryReader } from './telemetry-reader';

// Emscripten reports an error of a worker in these words, and in no other way.
const WORKER_ERROR_PREFIX = 'worker sent an error!';

/** The engine on real threads: it lives in this page, and what its threads write is seen at once. */
export class ThreadsHost implements EngineHost {
  readonly version: EngineVersion;
  readonly telemetry: TelemetryReader;
  readonly model = null;
  readonly #module: EngineModule;
  readonly #onFailure: (text: string) => void;

  /** The module's threads stand ready. */
  constructor(module: EngineModule, onFailure: (text: string) => void) {
    this.#module = module;
    this.#onFailure = onFailure;
    module.ccall('latchscope_open', null, [], []);
    this.version = JSON.parse(this.#text('latchscope_version')) as EngineVersion;
    this.telemetry = new TelemetryReader({
      buffer: module.wasmMemory.buffer,
      address: module.ccall('latchscope_telemetry', 'number', [], []),
      bytes: module.ccall('latchscope_telemetry_bytes', 'number', [], []),
    });
  }

  ask(question: Question, ...values: string[]): Promise<string> {
    return this.#orFailure(() => this.#text(question, ...values));
  }

  post(command: string, ...values: string[]): Promise<Posted> {
    return this.#orFailure(() => this.#post(command, ...values));
  }

  dispose(): void {
    this.#module.PThread.terminateAllThreads();
  }

  #post(command: string, ...values: string[]): Posted {
    const posted = this.#module.ccall(
      command,
      'number',
      values.map(() => 'string' as const),
      values,
    );
    return posted === 0
      ? { refused: JSON.parse(this.#text('latchscope_refusal')) as FieldError[] }
      : { number: this.telemetry.header().commands_posted };
  }

  /** The engine throws nothing while it is in order: a trap of WebAssembly, or no memory left, is its end. */
  #orFailure<Answer>(call: () => Answer): Promise<Answer> {
    return new Promise((resolve) => {
      try {
        resolve(call());
      } catch (error) {
        this.#onFailure(inPlainWords(String(error)));
        throw error;
      }
    });
  }

  #text(name: string, ...values: string[]): string {
    return this.#module.ccall(
      name,
      'string',
      values.map(() => 'string' as const),
      values,
    );
  }
}

/** Resolves when all of the engine's threads stand ready. Call it on the main thread only. */
export const loadThreadedEngine: EngineLoader = async ({ onFailure }) => {
  const { default: createEngine } = await import('./gen/engine-threads.mjs');
  const module = (await createEngine({
    onAbort: (reason: unknown) => {
      onFailure(inPlainWords(`aborted: ${String(reason)}`));
    },
    printErr: (line: string) => {
      console.warn(line);
      if (line.startsWith(WORKER_ERROR_PREFIX)) onFailure(inPlainWords(line));
    },
  })) as EngineModule;
  for (const worker of [...module.PThread.unusedWorkers, ...module.PThread.runningWorkers]) {
    worker.addEventListener('messageerror', () => {
      onFailure("A message of one of the engine's threads could not be read.");
    });
  }
  return new ThreadsHost(module, onFailure);
};
