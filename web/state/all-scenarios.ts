import { scenarios } from 'virtual:scenarios';

import type { Scenario } from './manifest';

/** Every scenario that this page was built with. */
export const all_scenarios = scenarios as readonly Scenario[];
