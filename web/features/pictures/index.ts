import type { Feature } from '../../session/feature';
import { pictureCommands } from './picture-commands';

export { PictureSlot } from './picture-slot';

export const picturesFeature: Feature<{ openDialog: (dialog: 'picture') => void }> = {
  open: ({ openDialog }) => ({
    commands: [
      pictureCommands(() => {
        openDialog('picture');
      }),
    ],
  }),
};
