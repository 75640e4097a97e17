import type { Feature } from '../../session/feature';
import type { Session } from '../../session/session';
import { locksAtFirst, locksCommands } from './locks';
import { Locks } from './locks-state';

declare module '../../session/feature' {
  interface FeatureModels {
    locks: Locks;
  }
}

export const locksFeature: Feature<{ session: Session }> = {
  slice: locksAtFirst,
  sliceAfterLeaving: ({ locks: { order, followed } }) => ({
    locks: { ...locksAtFirst.locks, order, followed },
  }),
  open: ({ session }) => {
    const locks = new Locks();
    return { models: { locks }, commands: [locksCommands(locks, session)] };
  },
};
