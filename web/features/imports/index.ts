import { lazy } from 'react';

import type { Feature } from '../../session/feature';
import type { Session } from '../../session/session';
import { LatchModel, nothingAsked, type LatchModelSlice } from './latch-model';
import type { StreamedFile } from './reader';
import { nothingRead, Waits, type WaitsReadings } from './waits';

// Loaded when first shown.
export const WaitsView = lazy(() => import('./waits-view'));
export type { StreamedFile };

declare module '../../session/store' {
  interface FeatureSlices extends LatchModelSlice {
    waits: WaitsReadings;
  }
}

declare module '../../session/feature' {
  interface FeatureModels {
    waits: Waits;
    latchModel: LatchModel;
  }
}

interface ImportsPorts {
  session: Session;
  nowMs: () => number;
  files: { pickSeveral: () => Promise<readonly StreamedFile[]> };
}

export const importsFeature: Feature<ImportsPorts> = {
  slice: { waits: nothingRead, ...nothingAsked },
  open: ({ session, nowMs, files }) => {
    const waits = new Waits(session);
    const latchModel = new LatchModel(session, nowMs);
    return {
      models: { waits, latchModel },
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
              id: 'waits.stop_model',
              title: 'Your waits: stop the model, keep results',
              isEnabled: ({ modelProgress }) => modelProgress !== null && !modelProgress.isCancelling,
              unlessEnabled: 'the model is not running',
              execute: () => latchModel.cancel(),
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
