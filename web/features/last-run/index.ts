import type { Feature } from '../../session/feature';
import type { Session } from '../../session/session';
import { LastRun, lastRunCommands, nothingLost, type TabStorage } from './last-run';

export type { TabStorage };
export { LostRunNotice } from './lost-run-notice';

declare module '../../session/feature' {
  interface FeatureModels {
    lastRun: LastRun;
  }
}

export const lastRunFeature: Feature<{ session: Session; lastRunStorage: TabStorage }> = {
  slice: nothingLost,
  open: ({ session, lastRunStorage }) => {
    const lastRun = new LastRun(session, lastRunStorage);
    return { models: { lastRun }, commands: [lastRunCommands(lastRun)] };
  },
};
