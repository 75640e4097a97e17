import { all_scenarios } from './all-scenarios.ts';
import type { Knob, Scenario, Variant } from './manifest.ts';
import type { Machine } from './run-spec.ts';

const scenarioOfBug = (bug: number): Scenario => all_scenarios.find(({ manifest }) => manifest.bug === bug)!;

/** The scenario that tests use: the real one of bug #69276. */
export const fil_mutex = scenarioOfBug(69276);
/** Another one, with two knobs. */
export const undo_read = scenarioOfBug(117533);
export const scenarios = [fil_mutex, undo_read];
export const machine: Machine = { cores: 4, platforms: ['threads', 'virtual'] };

/** The last variant of a knob that needs no latch of the reader's. */
export const lastVariant = ({ variants }: Knob): Variant =>
  variants.findLast(({ needs }) => needs === undefined)!;
