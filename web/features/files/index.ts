import type { Feature } from '../../session/feature';
import type { Session } from '../../session/session';
import { exportCommands, fileCommands, type FilePort } from './file-commands';

export type { FilePort };
export { OpenedFileNotice, RefusedFileNotice } from './file-notices';
export { FilesMenu } from './files-menu';

export const filesFeature: Feature<{ session: Session; files: FilePort }> = {
  open: ({ session, files }) => ({
    commands: [exportCommands(session, files), fileCommands(session, files)],
  }),
};
