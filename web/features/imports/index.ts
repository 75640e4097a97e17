import { lazy } from 'react';

import type { Parsed } from '../../contract/run-spec';
import type { Feature, ParsedLink } from '../../session/feature';
import { LATCH_FIELD } from '../../session/link';
import type { Session } from '../../session/session';
import { LatchModel, nothingAsked, type LatchModelSlice } from './latch-model';
import type { FoundLatch } from './latches';
import type { StreamedFile } from './reader';
import { nothingRead, Waits, type WaitsReadings } from './waits';

// Loaded when first shown.
export const WaitsView = lazy(() => import('./waits-view'));
/** Finds latches by what people know of them: a name, a variable, a function. */
export const LatchSearch = lazy(() => import('./latch-search'));
export type { FoundLatch, StreamedFile };

/** Loads the search of the catalogue. */
export const loadLatches = () => import('./latches');

/** Shows the bug that is modeled for a latch, or else what the catalogue knows of it. */
export async function openLatch(session: Session, { id, bug }: FoundLatch): Promise<void> {
  if (bug === null) {
    session.store.setState({ shownLatch: id });
    session.openView('waits');
    return;
  }
  await session.openScenario(bug.scenario, 'stage');
  session.openView('stage');
}

declare module '../../session/store' {
  interface FeatureSlices extends LatchModelSlice {
    waits: WaitsReadings;
    /** The latch of the catalogue whose card is open, by its id; null: none. */
    shownLatch: string | null;
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
  slice: { waits: nothingRead, shownLatch: null, ...nothingAsked },
  link: {
    names: [LATCH_FIELD],
    isBesideTheRun: true,
    view: 'waits',
    isField: (key) => key === LATCH_FIELD,
    isOfAnyPlatform: (key) => key === LATCH_FIELD,
    misplaced: (view, pairs) =>
      pairs.flatMap(([field, value]) =>
        field === LATCH_FIELD && view !== 'waits' ? [{ field, value, allowed: 'only with view=waits' }] : [],
      ),
    parse: parseLatch,
    format: ({ view, shownLatch }) =>
      view === 'waits' && shownLatch !== null ? [[LATCH_FIELD, shownLatch]] : [],
    partsOf: ({ shownLatch }) => [shownLatch],
  },
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
                if (chosen.length > 0) await waits.openDropped(chosen);
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
            {
              id: 'waits.close_latch',
              title: 'Your waits: close the latch',
              isEnabled: (state) => state.view === 'waits' && state.shownLatch !== null,
              unlessEnabled: 'no latch is open',
              execute: () => session.store.setState({ shownLatch: null }),
            },
          ],
        },
      ],
      openLink: ({ linkedLatch = null }: LinkedLatch) => {
        session.store.setState({ shownLatch: linkedLatch });
        if (linkedLatch !== null) void requireKnown(session, linkedLatch);
      },
    };
  },
};

interface LinkedLatch {
  linkedLatch?: string | null;
}

const ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const unknownLatch = (value: string) => ({
  field: LATCH_FIELD,
  value,
  allowed: 'the id of a latch in the catalogue, such as trx-sys',
});

/** The catalogue is not part of the first view, so `requireKnown` looks the id up later. */
function parseLatch({ pairs }: ParsedLink): Parsed<LinkedLatch> {
  const id = new Map(pairs).get(LATCH_FIELD);
  if (id === undefined) return { ok: true, value: { linkedLatch: null } };
  return ID.test(id) ? { ok: true, value: { linkedLatch: id } } : { ok: false, errors: [unknownLatch(id)] };
}

/** Shows the fault of a link to a latch that the catalogue does not have. */
async function requireKnown({ store }: Session, id: string): Promise<void> {
  const { hasLatch } = await loadLatches();
  if (!hasLatch(id) && store.getState().shownLatch === id)
    store.setState({ shownLatch: null, linkErrors: [unknownLatch(id)] });
}
