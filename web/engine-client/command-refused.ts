import { describeFaults, toldFaults, type FieldError } from '../contract/field-error';
import type { RunState } from './snapshot';

/** A command was not carried out; the run goes on as before. The message says why, a line for each fault. */
export class CommandRefused extends Error {
  override name = 'CommandRefused';
  /** The faults by field, where the command named fields. */
  readonly errors: FieldError[];

  /** `in_words` says the same as the errors, where a sentence says it better. */
  constructor(why: FieldError[] | string, in_words?: string) {
    super(in_words ?? (typeof why === 'string' ? why : describeFaults(why).join('\n')));
    this.errors = typeof why === 'string' ? [] : toldFaults(why);
  }
}

const state_sentences: Record<RunState, string> = {
  idle: 'No run is going.',
  building: 'The run is still being built.',
  ready: 'The run has not begun yet.',
  running: 'The run is going already.',
  paused: 'The run is paused already.',
  stopping: 'The run is stopping.',
  finished: 'The run is over.',
  failed: 'The engine has stopped.',
};

/** A command that means nothing in the state in which the run is. `allowed`: the states in which it does. */
export function refusedByState(command: string, run_state: RunState, allowed: string): CommandRefused {
  const going_on = ['create', 'start'].includes(command) && !['idle', 'finished'].includes(run_state);
  const sentence = going_on ? 'A run is still going. Stop it first.' : state_sentences[run_state];
  return new CommandRefused([{ field: command, value: run_state, allowed }], sentence);
}

// How the engine says it: at once in an error by field, and later in a text.
const STATE_VALUE = /^run state (\w+)$/;
const STATE_TEXT = /^(\w+): got run state (\w+); allowed: (.+)$/;

/** What the engine has refused at once. */
export function refusalOfErrors(errors: FieldError[]): CommandRefused {
  const [error] = errors;
  const run_state = STATE_VALUE.exec(error?.value ?? '')?.[1];
  if (error === undefined || run_state === undefined) return new CommandRefused(errors);
  return refusedByState(error.field, run_state as RunState, withoutNoun(error.allowed));
}

/** What the engine has refused when its turn had come. */
export function refusalOfText(text: string): CommandRefused {
  const [, command, run_state, allowed] = STATE_TEXT.exec(text) ?? [];
  if (command === undefined) return new CommandRefused(text);
  return refusedByState(command, run_state as RunState, withoutNoun(allowed!));
}

const withoutNoun = (states: string) => states.replace(/^run state /, '');
