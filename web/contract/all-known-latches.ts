// Provides the catalogue of latches of this build. Import it lazily: it is not part of the first
// view.
import { catalogue } from 'virtual:latch-catalogue';

import type { LatchCatalogue } from './scenario-files/latch-catalogue.ts';

export const latch_catalogue = catalogue as LatchCatalogue;
