import type { CommandSource } from '../../session/command-registry';
import type { Feature } from '../../session/feature';

export { PictureSlot } from './picture-slot';

/** `open` shows the picture large, over the page. */
export const pictureCommands = (open: () => void): CommandSource => ({
  commands: () => [
    {
      id: 'picture.open',
      title: 'Show bug picture',
      execute: open,
    },
  ],
});

export const picturesFeature: Feature<{ openDialog: (dialog: 'picture') => void }> = {
  open: ({ openDialog }) => ({
    commands: [pictureCommands(() => openDialog('picture'))],
  }),
};
