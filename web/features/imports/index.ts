import { lazy } from 'react';

import type { Feature } from '../../session/feature';
import type { Session } from '../../session/session';
import type { StreamedFile } from './reader';
import { nothingRead, Waits, type WaitsReadings } from './waits';

// Loaded when first shown.
export const WaitsView = lazy(() => import('./waits-view'));
export type { StreamedFile };

declare module '../../session/store' {
  interface FeatureSlices {
    waits: WaitsReadings;
  }
}

declare module '../../session/feature' {
  interface FeatureModels {
    waits: Waits;
  }
}

interface ImportsPorts {
  session: Session;
  files: { pickSeveral: () => Promise<readonly StreamedFile[]> };
}

export const importsFeature: Feature<ImportsPorts> = {
  slice: { waits: nothingRead },
  open: ({ session, files }) => {
    const waits = new Waits(session);
    return {
      models: { waits },
      commands: [
        {
          commands: () => [
            {
              id: 'waits.open',
              title: 'Your waits: open files…',
              execute: async () => {
                const chosen = await files.pickSeveral();
                if (chosen.length === 0) return;
                session.openView('waits');
                await waits.open(chosen);
              },
            },
            {
              id: 'waits.cancel',
              title: 'Your waits: stop reading',
              isEnabled: (state) => state.waits.reading !== null,
              unlessEnabled: 'nothing is being read',
              execute: () => waits.cancel(),
            },
            {
              id: 'waits.clear',
              title: 'Your waits: remove all',
              isEnabled: (state) => state.waits.report !== null || state.waits.refused !== null,
              unlessEnabled: 'nothing has been read',
              execute: () => waits.clear(),
            },
          ],
        },
      ],
    };
  },
};
