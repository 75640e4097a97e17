import type { EngineVersion } from './engine';
import type { EngineHost, EngineLoader, LaneBatch, ModelControls, Posted, Question } from './engine-host';
import { TelemetryReader, type BlockPlace } from './telemetry-reader';
import type { ModelReadings, Receipt, Report, Request, Snapshot, Step } from './virtual-protocol';

/** What the page needs of a Worker. */
export interface WorkerLike {
  postMessage(request: Request | Receipt): void;
  onmessage: ((event: MessageEvent<Report>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  terminate(): void;
}

type WithoutId<R> = R extends unknown ? Omit<R, 'id'> : never;
type Answer = string | Posted | null;

/** The engine on a modelled server, in a worker that tells this page what its telemetry block says. */
export class VirtualHost implements EngineHost {
  readonly version: EngineVersion;
  readonly telemetry: TelemetryReader;
  readonly model: ModelControls;
  readonly #worker: WorkerLike;
  readonly #answers = new Map<
    number,
    { resolve: (answer: Answer) => void; reject: (error: Error) => void }
  >();
  #last_id = 0;
  #readings: ModelReadings;
  #onReading: (() => void) | null = null;

  static load(worker: WorkerLike, onFailure: (text: string) => void): Promise<VirtualHost> {
    return new Promise((resolve) => {
      let host: VirtualHost | null = null;
      const fail = (text: string) => {
        onFailure(text);
        host?.rejectAll(text);
      };
      worker.onmessage = ({ data }) => {
        if (data.kind === 'failed') fail(data.text);
        else if (data.kind !== 'loaded') host?.receive(data);
        else resolve((host = new VirtualHost(worker, data.version, data.snapshot)));
      };
      worker.onerror = (event) => {
        event.preventDefault();
        fail(`the worker of the virtual server: ${event.message || 'it could not be loaded'}`);
      };
    });
  }

  private constructor(worker: WorkerLike, version: EngineVersion, snapshot: Snapshot) {
    this.#worker = worker;
    this.version = version;
    this.telemetry = new TelemetryReader(placeOf(snapshot));
    this.#readings = snapshot.readings;
    this.model = {
      freeze: (is_frozen) => this.#control({ kind: 'freeze', is_frozen }),
      step: (step: Step) => this.#control({ kind: 'step', step }),
      setPace: (ns_per_s) => this.#control({ kind: 'pace', ns_per_s }),
      readEvery: (run_ns, onReading) => {
        this.#onReading = onReading;
        return this.#control({ kind: 'read_every', run_ns });
      },
      readings: () => this.#readings,
      onLanes: null as ((batch: LaneBatch) => void) | null,
    };
  }

  receive(report: Report): void {
    if (report.kind === 'snapshot') {
      this.telemetry.attach(placeOf(report.snapshot));
      this.#readings = report.snapshot.readings;
      this.model.onLanes?.(report.snapshot.lanes);
      if (report.is_reading) {
        this.#onReading?.();
        this.#worker.postMessage({ kind: 'receipt' });
      }
    }
    if (report.kind === 'answer') {
      this.#answers.get(report.id)?.resolve(report.answer);
      this.#answers.delete(report.id);
    }
  }

  async ask(question: Question, ...values: string[]): Promise<string> {
    return (await this.#request({ kind: 'ask', question, values })) as string;
  }

  async post(command: string, ...values: string[]): Promise<Posted> {
    return (await this.#request({ kind: 'post', command, values })) as Posted;
  }

  dispose(): void {
    this.#worker.terminate();
    this.rejectAll('The engine was thrown away.');
  }

  rejectAll(why: string): void {
    for (const { reject } of this.#answers.values()) reject(new Error(why));
    this.#answers.clear();
  }

  async #control(request: WithoutId<Request>): Promise<void> {
    await this.#request(request);
  }

  #request(request: WithoutId<Request>): Promise<Answer> {
    this.#last_id += 1;
    const id = this.#last_id;
    return new Promise((resolve, reject) => {
      this.#answers.set(id, { resolve, reject });
      this.#worker.postMessage({ ...request, id });
    });
  }
}

function placeOf({ block: { buffer, state_times } }: Snapshot): BlockPlace {
  return { buffer, address: 0, bytes: buffer.byteLength, state_times };
}

/** Resolves when the modelled server waits for its first command. */
export const loadVirtualEngine: EngineLoader = async ({ onFailure }) => {
  const worker = new Worker(new URL('./virtual-worker.ts', import.meta.url), {
    type: 'module',
    name: 'virtual-server',
  });
  return VirtualHost.load(worker, onFailure);
};
