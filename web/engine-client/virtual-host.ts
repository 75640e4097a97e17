import type { EngineVersion, ModelReadings } from '../contract/page-readings';
import { refuseOtherAbi, type CommandName, type QuestionName } from './engine-calls';
import {
  type EngineHost,
  type EngineLoader,
  type HostHooks,
  type ModelControls,
  type Posted,
  type Reading,
  inPlainWords,
} from './engine-host';
import { SilenceWatch, type NextFrame } from './silence-watch';
import type { RunState } from '../contract/telemetry-states';
import { TelemetryReader, type BlockPlace } from './telemetry-reader';
import type { Answer, Message, Report, RequestBody, Snapshot } from './virtual-protocol';

/** The part of the Worker interface that the page needs. */
export interface WorkerLike {
  postMessage(message: Message, transfer: ArrayBuffer[]): void;
  onmessage: ((event: MessageEvent<Report>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  terminate(): void;
}

type SnapshotReport = Extract<Report, { kind: 'snapshot' }>;
type Loaded = Extract<Report, { kind: 'loaded' }>;

/** In these run states, a worker without pending requests may stay silent. */
const quietStates: readonly RunState[] = ['idle', 'ready', 'paused', 'finished', 'failed'];

/** Hosts the engine on a modeled server in a worker, which sends copies of its telemetry block. */
export class VirtualHost implements EngineHost {
  readonly version: EngineVersion;
  readonly telemetry: TelemetryReader;
  readonly model: ModelControls;
  readonly #worker: WorkerLike;
  readonly #answers = new Map<
    number,
    { resolve: (answer: Answer) => void; reject: (error: Error) => void }
  >();
  readonly #silence: SilenceWatch;
  readonly #inNextFrame: HostHooks['inNextFrame'];
  /** A snapshot that the page has not processed yet. */
  #waiting: SnapshotReport | null = null;
  #closed: Error | null = null;
  #lastId = 0;
  #readings: ModelReadings;
  /** The telemetry block that `telemetry` reads now. */
  #block: ArrayBuffer;
  /** The previous block. */
  #spareBlock: ArrayBuffer;
  #rewinds = 0;

  static load(
    worker: WorkerLike,
    { onFailure, inNextFrame }: HostHooks,
    nextFrame: NextFrame = (callback) => requestAnimationFrame(callback),
  ): Promise<VirtualHost> {
    return new Promise((resolve) => {
      let host: VirtualHost | null = null;
      const fail = (text: string) => {
        onFailure(inPlainWords(text));
        if (host === null) worker.terminate();
        else host.close(text);
      };
      const attach = ({ version, snapshot }: Loaded) => {
        try {
          host = new VirtualHost(worker, version, snapshot, { fail, inNextFrame, nextFrame });
          resolve(host);
        } catch (error) {
          fail(String(error));
        }
      };
      worker.onmessage = ({ data }) => {
        if (data.kind === 'failed') fail(data.text);
        else if (data.kind === 'loaded') attach(data);
        else host?.receive(data);
      };
      worker.onerror = (event) => {
        event.preventDefault();
        fail(`The virtual server worker failed: ${event.message || 'it could not be loaded'}`);
      };
      worker.onmessageerror = () => fail('Could not read a message from the virtual server.');
    });
  }

  private constructor(
    worker: WorkerLike,
    version: EngineVersion,
    snapshot: Snapshot,
    {
      fail,
      inNextFrame,
      nextFrame,
    }: { fail: (text: string) => void; inNextFrame: HostHooks['inNextFrame']; nextFrame: NextFrame },
  ) {
    refuseOtherAbi(version);
    this.#worker = worker;
    this.#inNextFrame = inNextFrame;
    this.version = version;
    this.telemetry = new TelemetryReader(placeOf(snapshot));
    this.#block = snapshot.block.buffer;
    this.#spareBlock = this.#block;
    this.#readings = snapshot.readings;
    this.model = {
      control: (request) => this.#request(request) as Promise<Posted | null>,
      readings: () => this.#readings,
      onReading: null,
      onLanes: null,
      onLatchEvents: null,
      onRewound: null,
      onKeptReadings: null,
    };
    this.#silence = new SilenceWatch({
      nextFrame,
      isExpected: () => this.#answers.size > 0 || this.#isGoing(),
      // A living worker answers between two slices, however long one takes.
      ask: () => void this.#request({ kind: 'ping' }).catch(() => undefined),
      onSilence: (seconds) => fail(`The virtual server has not answered for ${seconds} seconds.`),
    });
  }

  receive(report: Report): void {
    this.#silence.heard();
    this.#takeWaiting();
    if (report.kind === 'snapshot') {
      this.#waiting = report;
      this.#inNextFrame(this.#takeWaiting);
    }
    if (report.kind === 'rewound') this.#receiveRewound(report);
    if (report.kind === 'kept_readings') this.model.onKeptReadings?.(report.numbers);
    if (report.kind === 'answer') {
      this.#answers.get(report.id)?.resolve(report.answer);
      this.#answers.delete(report.id);
    }
    this.#silence.watch();
  }

  /**
   * Processes the waiting snapshot. At most one waits, so a hidden tab without frames still makes
   * progress.
   */
  readonly #takeWaiting = (): void => {
    const report = this.#waiting;
    if (report === null) return;
    this.#waiting = null;
    this.#receiveSnapshot(report.snapshot, report.reading);
  };

  #receiveRewound(report: Extract<Report, { kind: 'rewound' }>): void {
    const { snapshot } = report;
    this.#rewinds = report.rewinds;
    this.#attach(snapshot);
    this.telemetry.forgetNames();
    this.model.onRewound?.(report);
    this.#tell(snapshot);
  }

  #receiveSnapshot(snapshot: Snapshot, reading: Reading | null): void {
    try {
      this.#attach(snapshot);
      this.#tell(snapshot);
      if (reading !== null) this.model.onReading?.(reading);
    } finally {
      // Without receipts, virtual time would stop, so this one is sent even if a listener throws.
      if (reading !== null) this.#worker.postMessage({ kind: 'receipt', rewinds: this.#rewinds }, []);
    }
  }

  #attach(snapshot: Snapshot): void {
    this.telemetry.attach(placeOf(snapshot));
    this.#spareBlock = this.#block;
    this.#block = snapshot.block.buffer;
    this.#readings = snapshot.readings;
  }

  /** Passes on lanes and latch events, then returns buffers that the page no longer reads. */
  #tell({ lanes, latchEvents }: Snapshot): void {
    this.model.onLanes?.(lanes);
    this.model.onLatchEvents?.(latchEvents);
    const [block, segments] = [this.#spareBlock, lanes.segments.buffer];
    this.#worker.postMessage({ kind: 'spare', block, segments }, [block, segments]);
  }

  #isGoing(): boolean {
    const { runState, commandsPosted, commandsDone } = this.telemetry.header();
    return commandsPosted !== commandsDone || !quietStates.includes(runState);
  }

  async ask(question: QuestionName, ...values: string[]): Promise<string> {
    return (await this.#request({ kind: 'ask', question, values })) as string;
  }

  async post(command: CommandName, ...values: string[]): Promise<Posted> {
    return (await this.#request({ kind: 'post', command, values })) as Posted;
  }

  dispose(): void {
    this.close('The engine was closed.');
    this.#worker.terminate();
  }

  /** Rejects all pending requests; later ones reject, too. */
  close(why: string): void {
    this.#closed ??= new Error(why);
    this.#silence.end();
    this.#waiting = null;
    for (const { reject } of this.#answers.values()) reject(this.#closed);
    this.#answers.clear();
  }

  #request(request: RequestBody): Promise<Answer> {
    if (this.#closed !== null) return Promise.reject(this.#closed);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#worker.postMessage({ ...request, id }, []);
      this.#answers.set(id, { resolve, reject });
      this.#silence.watch();
    });
  }
}

function placeOf({ block: { buffer, stateTimes } }: Snapshot): BlockPlace {
  return { buffer, address: 0, bytes: buffer.byteLength, stateTimes };
}

/** Resolves when the modeled server waits for its first command. */
export const loadVirtualEngine: EngineLoader = async (hooks) => {
  const worker = new Worker(new URL('./virtual-worker.ts', import.meta.url), {
    type: 'module',
    name: 'virtual-server',
  });
  return VirtualHost.load(worker, hooks);
};
