import { lazy } from 'react';

import type { Feature } from '../../session/feature';
import type { Session } from '../../session/session';
import type { StageStep } from '../../contract/scenario-files/stage';

/** What the page's other parts need of the stage. */
export interface StageState {
  /** Number of times that a link has opened the stage: each plays it from its beginning. */
  opened: number;
}

declare module '../../session/store' {
  interface FeatureSlices {
    stage: StageState;
  }
}

// Loaded with the first stage.
const player = () => import('./stage-player');
export const StageView = lazy(() => import('./stage-view'));
/** Plays a bug by itself. Loaded after the start page. */
export const StageDemo = lazy(() => import('./stage-demo'));
/** Draws the queue at a latch. */
export const QueueFigure = lazy(async () => ({
  default: (await import('./queue-picture')).QueuePictureView,
}));

/**
 * Loads the texts, the recorded run and the numbers of a bug's stage. Rejects if this build has none.
 */
export async function loadStage(session: Session, scenario: string) {
  const { loadStage: load, numbersInWords } = await player();
  const stage = await load(session, scenario);
  return { ...stage, numbersInWords: numbersInWords(stage) };
}

const titles: Record<StageStep | 'restart', string> = {
  break: 'Stage: break',
  fixed: 'Stage: fixed design',
  original: 'Stage: original design',
  restart: 'Start again',
};

export const stageFeature: Feature<{ session: Session }> = {
  slice: { stage: { opened: 0 } },
  open: ({ session }) => ({
    commands: [
      {
        commands: () =>
          (['break', 'fixed', 'original', 'restart'] as const).map((step) => ({
            id: `stage.${step}`,
            title: titles[step],
            isEnabled: ({ view }) => view === 'stage',
            unlessEnabled: 'only on the stage',
            execute: async () => {
              const { stagePlayerOf } = await player();
              const played = stagePlayerOf(session);
              if (step === 'restart') played.restart();
              else played.press(step);
            },
          })),
      },
    ],
    openLink: () => {
      const { view, stage } = session.store.getState();
      if (view === 'stage') session.store.setState({ stage: { opened: stage.opened + 1 } });
    },
  }),
};
