import { scenarios } from 'virtual:scenarios';

import type { Scenario } from './manifest.ts';

/** Every scenario that this page was built with, by bug number. The first one opens where no link says otherwise. */
export const all_scenarios = scenarios as readonly Scenario[];
