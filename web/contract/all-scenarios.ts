import { scenarios } from 'virtual:scenarios';

import type { BugScenario } from './scenario-names.ts';

/** All scenarios of this build, by bug number. The first one opens by default. */
export const all_scenarios = scenarios as readonly BugScenario[];
