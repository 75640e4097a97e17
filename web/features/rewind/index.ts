import type { Feature } from '../../session/feature';
import type { Session } from '../../session/session';
import { rewindCommands } from './rewind';

export { RewindBar } from './rewind-bar';

export const rewindFeature: Feature<{ session: Session }> = {
  open: ({ session }) => ({ commands: [rewindCommands(session)] }),
};
