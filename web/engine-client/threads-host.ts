import type { EngineVersion } from './engine';
import type { EngineHost, EngineLoader, Posted, Question } from './engine-host';
import type { EngineModule } from './engine-module';
import type { FieldError } from './field-error';
import { TelemetryReader } from './telemetry-reader';

// Emscripten reports an error of a worker in these words, and in no other way.
const WORKER_ERROR_PREFIX = 'worker sent an error!';

/** The engine on real threads: it lives in this page, and what its threads write is seen at once. */
export class ThreadsHost implements EngineHost {
  readonly version: EngineVersion;
  readonly telemetry: TelemetryReader;
  readonly model = null;
  readonly #module: EngineModule;

  /** The module's threads stand ready. */
  constructor(module: EngineModule) {
    this.#module = module;
    module.ccall('latchscope_open', null, [], []);
    this.version = JSON.parse(this.#text('latchscope_version')) as EngineVersion;
    this.telemetry = new TelemetryReader({
      buffer: module.wasmMemory.buffer,
      address: module.ccall('latchscope_telemetry', 'number', [], []),
      bytes: module.ccall('latchscope_telemetry_bytes', 'number', [], []),
    });
  }

  ask(question: Question, ...values: string[]): Promise<string> {
    return Promise.resolve(this.#text(question, ...values));
  }

  post(command: string, ...values: string[]): Promise<Posted> {
    const posted = this.#module.ccall(
      command,
      'number',
      values.map(() => 'string' as const),
      values,
    );
    return Promise.resolve(
      posted === 0
        ? { refused: JSON.parse(this.#text('latchscope_refusal')) as FieldError[] }
        : { number: this.telemetry.header().commands_posted },
    );
  }

  dispose(): void {
    this.#module.PThread.terminateAllThreads();
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
  const module: unknown = await createEngine({
    onAbort: (reason: unknown) => {
      onFailure(`aborted: ${String(reason)}`);
    },
    printErr: (line: string) => {
      console.warn(line);
      if (line.startsWith(WORKER_ERROR_PREFIX)) onFailure(line);
    },
  });
  return new ThreadsHost(module as EngineModule);
};
