import type { EngineVersion } from '../contract/page-readings';
import {
  askQuestion,
  attachCalls,
  postCommand,
  type CommandName,
  type QuestionName,
  type EngineModule,
} from './engine-calls';
import { type EngineHost, type EngineLoader, type Posted, inPlainWords } from './engine-host';
import { abortedText, loadModule } from './load-module';
import type { EngineCalls } from '../contract/gen/engine-abi';
import { TelemetryReader } from './telemetry-reader';

// Emscripten reports a worker's error only with this text.
const WORKER_ERROR_PREFIX = 'worker sent an error!';

/** Hosts the engine on real threads in this page. The page reads their shared memory directly. */
export class ThreadsHost implements EngineHost {
  readonly version: EngineVersion;
  readonly telemetry: TelemetryReader;
  readonly model = null;
  readonly #module: EngineModule;
  readonly #calls: EngineCalls;
  readonly #onFailure: (text: string) => void;

  /** REQUIRES: the module's threads are ready. */
  constructor(module: EngineModule, onFailure: (text: string) => void) {
    this.#module = module;
    this.#onFailure = onFailure;
    const { calls, version } = attachCalls(module);
    this.#calls = calls;
    this.version = version;
    calls.open();
    this.telemetry = new TelemetryReader({
      buffer: module.wasmMemory.buffer,
      address: calls.telemetry(),
      bytes: calls.telemetry_bytes(),
    });
  }

  ask(question: QuestionName, ...values: string[]): Promise<string> {
    return this.#orFailure(() => askQuestion(this.#calls, question, values));
  }

  post(command: CommandName, ...values: string[]): Promise<Posted> {
    return this.#orFailure(() => this.#post(command, values));
  }

  dispose(): void {
    this.#module.PThread.terminateAllThreads();
  }

  #post(command: CommandName, values: readonly string[]): Posted {
    const refused = postCommand(this.#calls, command, values);
    return refused === null ? { number: this.telemetry.header().commandsPosted } : { refused };
  }

  /**
   * A working engine never throws. So an exception (a WebAssembly trap or exhausted memory) is a
   * failure of the engine.
   */
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
}

/**
 * Resolves when all of the engine's threads are ready.
 * REQUIRES: main thread.
 */
export const loadThreadedEngine: EngineLoader = async ({ onFailure }) => {
  const { default: createEngine } = await import('./gen/engine-threads.mjs');
  const module = (await loadModule({
    createEngine,
    address: new URL('./gen/engine-threads.wasm', import.meta.url).href,
    onAbort: (reason) => onFailure(inPlainWords(abortedText(reason))),
    hooks: {
      printErr: (line: string) => {
        console.warn(line);
        if (line.startsWith(WORKER_ERROR_PREFIX)) onFailure(inPlainWords(line));
      },
    },
  }).catch((error: unknown) => {
    throw new Error(inPlainWords(error instanceof Error ? error.message : String(error)));
  })) as EngineModule;
  for (const worker of [...module.PThread.unusedWorkers, ...module.PThread.runningWorkers]) {
    worker.addEventListener('messageerror', () => {
      onFailure('Could not read a message from an engine thread.');
    });
  }
  return new ThreadsHost(module, onFailure);
};
