import type { CommandSource } from '../../session/command-registry';

/** `open` shows the picture large, over the page. */
export const pictureCommands = (open: () => void): CommandSource => ({
  commands: () => [
    {
      id: 'picture.open',
      title: 'Show bug picture',
      isEnabled: () => true,
      execute: open,
    },
  ],
});
