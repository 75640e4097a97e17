// Registers the reader's commands by id. Buttons, keys, the command palette and
// window.latchscope.execute look them up here. The session and each feature register their own.
import { CommandRefused } from '../engine-client/command-refused';
import { EngineFailure } from '../engine-client/engine';
import type { ExplorerState } from './store';

export interface Command {
  id: string;
  title: string;
  /** By default, the command is available unless there is a reason against it. */
  isEnabled?: (state: ExplorerState) => boolean;
  /** Why the command is not available while it is disabled. */
  unlessEnabled?: string;
  /** The same, if the reason depends on the state. */
  whyNot?: (state: ExplorerState) => string | null;
  execute: () => Promise<void> | void;
}

/** A source of commands. */
export interface CommandSource {
  commands: (state: ExplorerState) => readonly Command[];
  /**
   * The parts of the state that the list depends on; a change of one rebuilds it. Omitted: none.
   */
  dependsOn?: (state: ExplorerState) => readonly unknown[];
}

/** Returns whether a command is available. */
export const isAvailable = ({ isEnabled, whyNot }: Command, state: ExplorerState): boolean =>
  isEnabled?.(state) ?? (whyNot?.(state) ?? null) === null;

/** Returns why a command is not available now; null if it is. */
export function reasonAgainst(command: Command, state: ExplorerState): string | null {
  if (isAvailable(command, state)) return null;
  return command.whyNot?.(state) ?? command.unlessEnabled ?? 'not now';
}

/** Runs a reader's request. Ignores errors that the page already shows to the reader. */
export async function unlessRefused(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof CommandRefused || error instanceof EngineFailure)) throw error;
  }
}

export class CommandRegistry {
  readonly #stateNow: () => ExplorerState;
  #sources: RegisteredSource[] = [];
  #all: readonly Command[] = [];
  #byId: ReadonlyMap<string, Command> = new Map();

  constructor(stateNow: () => ExplorerState) {
    this.#stateNow = stateNow;
  }

  /** Adds the commands of a source. Returns a function that removes them. */
  register(source: CommandSource): () => void {
    const registered: RegisteredSource = { source, parts: [], commands: null };
    this.#sources.push(registered);
    return () => {
      this.#sources = this.#sources.filter((other) => other !== registered);
      this.#collect();
    };
  }

  /** Returns all commands, in the order in which their sources were registered. */
  all(): readonly Command[] {
    this.#bringUpToDate();
    return this.#all;
  }

  find(id: string): Command {
    this.#bringUpToDate();
    const command = this.#byId.get(id);
    if (command === undefined) throw new Error(`Unknown command ${id}.`);
    return command;
  }

  isEnabled(id: string): boolean {
    return isAvailable(this.find(id), this.#stateNow());
  }

  /** Runs a command as its button does. */
  async perform(id: string): Promise<void> {
    await unlessRefused(async () => this.find(id).execute());
  }

  #bringUpToDate(): void {
    const state = this.#stateNow();
    const changed = this.#sources.filter((registered) => bringUpToDate(registered, state));
    if (changed.length > 0) this.#collect();
  }

  #collect(): void {
    this.#all = this.#sources.flatMap(({ commands }) => commands ?? []);
    this.#byId = new Map(this.#all.map((command) => [command.id, command]));
  }
}

interface RegisteredSource {
  readonly source: CommandSource;
  parts: readonly unknown[];
  /** null: not requested yet. */
  commands: readonly Command[] | null;
}

/** Rebuilds the source's commands if a part has changed. Returns whether it did. */
function bringUpToDate(registered: RegisteredSource, state: ExplorerState): boolean {
  const parts = registered.source.dependsOn?.(state) ?? [];
  const isKnown = registered.commands !== null && parts.every((part, i) => part === registered.parts[i]);
  if (isKnown) return false;
  registered.parts = parts;
  registered.commands = registered.source.commands(state);
  return true;
}
