// Edits a workload: the reader's source, what it declares, and its files. Loaded with the view.
import type { LabError } from '../../analysis/latch-language/lab-error';
import type { CompiledWorkload } from '../../analysis/workload-language/compile';
import type { Design } from '../../contract/design';
import type { Draft } from '../../contract/draft';
import { printable, type Fault } from '../../contract/fault';
import type { Manifest } from '../../contract/manifest';
import type { Platform } from '../../contract/platforms';
import { defaultRunSpec, type RunSpec } from '../../contract/run-spec';
import { readFileText, type ChosenFile } from '../../contract/run-result-text';
import { scenarioOfWorkload } from '../../contract/workload-manifest';
import { CommandRefused } from '../../engine-client/command-refused';
import type { CommandSource } from '../../session/command-registry';
import { serverChoiceOf } from '../../session/draft';
import { nameInFiles } from '../../session/run-description';
import { compileWorkload } from '../../session/source-compiler';
import { nothingRefused, type ExplorerState, type ExplorerStore } from '../../session/store';
import { FIRST_TEMPLATE } from './template-ids';
import { sourceOfTemplate } from './templates';
import { textOfDraft, type WorkloadSide, type WorkloadSlice, type WorkloadText } from './workload-state';

/** What the editor needs from the page. */
export interface WorkloadPorts {
  store: ExplorerStore;
  show: () => void;
  /** Shows a run and starts it, after stopping the current one. The view stays. */
  start: (spec: RunSpec) => Promise<void>;
  /** Stores the draft on this device. */
  remember: (text: string) => void;
  save: (name: string, content: Blob) => void;
  /** Settles with null if the reader chooses no file. */
  pick: (accept: string) => Promise<ChosenFile | null>;
  /** Adds commands to the page. */
  register: (commands: CommandSource) => () => void;
}

export const FILE_ENDING = '.workload';
/** Four bytes for each character that a source may have. */
const FILE_BYTES_MAX = 400_000;
const A_WORKLOAD = 'a workload file: text of up to 100,000 characters';

/** Returns the source that the reader sees. */
export const sourceShown = ({ source, template }: WorkloadText): string =>
  source ?? sourceOfTemplate(template) ?? sourceOfTemplate(FIRST_TEMPLATE)!;

export class WorkloadEditing {
  readonly #ports: WorkloadPorts;
  #isCompiling = false;
  /** The compiler's latest answer or request, by its source. */
  #latest: { source: string; compiled: Promise<CompiledWorkload> } | null = null;

  constructor(ports: WorkloadPorts) {
    this.#ports = ports;
    ports.store.subscribe(({ workload }, before) => {
      if (workload.source !== before.workload.source || workload.template !== before.workload.template)
        void this.#check();
    });
    void this.#check();
  }

  get state(): ExplorerState {
    return this.#ports.store.getState();
  }

  get workload(): WorkloadSlice['workload'] {
    return this.state.workload;
  }

  /** Starts with a template. */
  open(template: string): void {
    this.#begin({ template, source: null });
  }

  edit(source: string): void {
    if (source !== sourceShown(this.workload)) this.#begin({ ...this.workload, source });
  }

  /** Restores the template. */
  reset(): void {
    this.open(this.workload.template);
  }

  /** Shows the templates and what the source declares beside the editor. */
  begin(): void {
    this.#show('declared');
  }

  /** Shows the run beside the editor. */
  showRun(): void {
    this.#show('run');
  }

  #show(side: WorkloadSide): void {
    this.#set({ side });
    this.#ports.show();
  }

  /**
   * Makes the source the shown scenario and starts its run. The platform, the server and the design
   * of an earlier source stay as far as the new one has them. Rejects with the errors of the source.
   */
  async run(): Promise<void> {
    const source = sourceShown(this.workload);
    const { program, errors } = await this.compiled(source);
    if (program === undefined)
      throw new CommandRefused(
        errors.map(({ line, sentence }) => ({ field: `line ${line}`, value: 'invalid', allowed: sentence })),
      );
    const { manifest } = scenarioOfWorkload({ source, program });
    this.showRun();
    await this.#ports.start(specOf(manifest, this.state));
  }

  /** Saves the source as a file that is named after the workload's title. */
  save(): void {
    const { compiled } = this.workload;
    const run = { scenario: 'workload', ...(compiled && { workload: compiled }) };
    const name = `${nameInFiles(run)}${FILE_ENDING}`;
    this.#ports.save(name, new Blob([sourceShown(this.workload)], { type: 'text/plain' }));
    this.#ports.store.setState({ announcement: `Saved ${name}` });
  }

  /** Opens a file that the reader chooses. */
  async choose(): Promise<void> {
    const file = await this.#ports.pick(`${FILE_ENDING},text/plain`);
    if (file !== null) await this.openFile(file);
  }

  /** Shows a file in the editor. Rejects with its faults, and then changes nothing. */
  async openFile(file: ChosenFile): Promise<void> {
    const name = printable(file.name);
    if (file.size > FILE_BYTES_MAX)
      this.#refuseFile(name, [{ field: 'file', value: `${file.size} bytes`, allowed: A_WORKLOAD }]);
    const text = await readFileText(file, A_WORKLOAD);
    if (!text.ok) this.#refuseFile(name, text.errors);
    if (text.value.trim() === '') this.#refuseFile(name, [{ field: 'file', value: '', allowed: A_WORKLOAD }]);
    this.#begin({ ...this.workload, source: text.value.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n') });
    this.#ports.show();
    this.#ports.store.setState({ ...nothingRefused, announcement: `Opened ${name}` });
  }

  /** Returns the errors of a source. */
  async errorsOf(source: string): Promise<readonly LabError[]> {
    return (await this.compiled(source)).errors ?? [];
  }

  /** Compiles a source, once for all who ask for it. */
  compiled(source: string): Promise<CompiledWorkload> {
    if (this.#latest?.source !== source) this.#latest = { source, compiled: compileWorkload(source) };
    return this.#latest.compiled;
  }

  /** Compiles the shown source, and again if the reader has written more meanwhile. */
  async #check(): Promise<void> {
    if (this.#isCompiling) return;
    this.#isCompiling = true;
    try {
      while (this.workload.checked?.source !== sourceShown(this.workload)) {
        const source = sourceShown(this.workload);
        const { program, errors = [] } = await this.compiled(source);
        this.#set({ checked: { source, errors }, ...(program && { compiled: { source, program } }) });
      }
    } finally {
      this.#isCompiling = false;
    }
  }

  #begin({ template, source }: WorkloadText): void {
    this.#set({ template, source });
    this.#ports.remember(textOfDraft(this.workload));
  }

  #set(change: Partial<WorkloadSlice['workload']>): void {
    this.#ports.store.setState({ workload: { ...this.workload, ...change } });
  }

  /** Publishes why a file was not opened, for the reader. */
  #refuseFile(name: string, errors: Fault[]): never {
    this.#ports.store.setState({ fileRefused: { name, errors } });
    throw new CommandRefused(errors);
  }
}

/** Returns the next run of a workload, which keeps what the reader chose for the one before. */
function specOf(manifest: Manifest, { scenario, draft, machine }: ExplorerState): RunSpec {
  const isNext = scenario.manifest.workload !== undefined;
  const usual: Platform = machine.platforms.includes('virtual') ? 'virtual' : 'threads';
  const platform = isNext ? draft.platform : usual;
  const chosen = isNext ? { design: designIn(manifest, draft.design), ...serverOf(draft, platform) } : {};
  return defaultRunSpec(manifest, machine, platform, chosen);
}

/** Returns the variants that the manifest still has. */
const designIn = ({ knobs }: Manifest, design: Design): Design =>
  Object.fromEntries(
    knobs.flatMap(({ id, variants }) =>
      variants.some((variant) => variant.id === design[id]) ? [[id, design[id]!]] : [],
    ),
  );

const serverOf = ({ server }: Draft, platform: Platform) =>
  platform === 'virtual' && server !== null ? { server: serverChoiceOf(server) } : {};
