import { all_scenarios } from './all-scenarios.ts';
import type { Knob, Variant } from './manifest.ts';
import type { Machine } from './run-spec.ts';
import type { BugScenario } from './scenario-names.ts';

const scenarioOfBug = (bug: number): BugScenario =>
  all_scenarios.find(({ manifest }) => manifest.bug === bug)!;

/** The scenario that tests use: bug #69276 itself. */
export const fil_mutex = scenarioOfBug(69276);
/** Another scenario, with two knobs. */
export const undo_read = scenarioOfBug(117533);
export const scenarios = [fil_mutex, undo_read];
export const machine: Machine = { cores: 4, platforms: ['threads', 'virtual'] };

/** Returns the last variant of a knob that does not need a reader's latch. */
export const lastVariant = ({ variants }: Knob): Variant =>
  variants.findLast(({ needs }) => needs === undefined)!;
