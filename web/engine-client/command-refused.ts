import type { RunState } from '../contract/telemetry-states';
import { describeFaults, describeValue, toldFaults, type Fault } from '../contract/fault';
import type { Refusal } from './engine-calls';
import type { CommandOutcome } from './snapshot';

/** A command was refused and had no effect on the run. The message has one line per fault. */
export class CommandRefused extends Error {
  override name = 'CommandRefused';
  /** The faults by field. Empty if the command named no fields. */
  readonly errors: Fault[];

  /** `inWords` replaces the generated message where a hand-written sentence is clearer. */
  constructor(why: Fault[] | string, inWords?: string) {
    super(inWords ?? (typeof why === 'string' ? why : describeFaults(why).join('\n')));
    this.errors = typeof why === 'string' ? [] : toldFaults(why);
  }
}

/** Creates the error for a value of a field. `allowed` describes the values that it may have. */
export const refusedField = (field: string, value: unknown, allowed: string) =>
  new CommandRefused([{ field, value: describeValue(value), allowed }]);

const stateSentences: Record<RunState, string> = {
  idle: 'No run is active.',
  building: 'The server is still loading its data.',
  ready: 'The run has not started yet.',
  running: 'The run is already active.',
  paused: 'The run is already paused.',
  stopping: 'The run is stopping.',
  finished: 'The run has ended.',
  failed: 'The engine has stopped.',
};

/**
 * Creates the error for a command that is not valid in `run_state`. `allowed` names the states in
 * which it is valid.
 */
export function refusedByState(command: string, runState: RunState, allowed: string): CommandRefused {
  const goingOn = ['create', 'start'].includes(command) && !['idle', 'finished'].includes(runState);
  const sentence = goingOn ? 'A run is still active. Stop it first.' : stateSentences[runState];
  return new CommandRefused([{ field: command, value: runState, allowed }], sentence);
}

/** Creates the error for a refusal by the engine. */
export function commandRefused({ outcome, errors }: Refusal): CommandRefused {
  const [error] = errors;
  if (outcome !== 'wrong_state' || error === undefined) return new CommandRefused(errors);
  return refusedByState(error.field, error.value as RunState, error.allowed);
}

/**
 * Returns the error of a command that the coordinator has processed, or null if it was accepted.
 */
export function refusalOfOutcome({ outcome, why }: CommandOutcome): CommandRefused | null {
  if (outcome === 'accepted') return null;
  if (outcome === 'refused_by_server') return new CommandRefused(why);
  return commandRefused({ outcome, errors: JSON.parse(why) as Fault[] });
}

/** Returns the message of an error, split into lines. */
export const reasonsOf = (error: unknown): string[] =>
  (error instanceof Error ? error.message : String(error)).split('\n');
