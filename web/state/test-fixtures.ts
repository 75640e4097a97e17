import { all_scenarios } from './all-scenarios';
import type { Scenario } from './manifest';
import type { Machine } from './run-spec';

/** The scenario that tests use: the real one of bug #69276. */
export const fil_mutex: Scenario = all_scenarios.find(({ manifest }) => manifest.bug === 69276)!;
export const scenarios = [fil_mutex];
export const machine: Machine = { cores: 4 };
