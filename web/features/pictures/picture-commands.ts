import type { CommandSource } from '../../session/command-registry';

/** `open` shows the picture large, over the page. */
export const pictureCommands = (open: () => void): CommandSource => ({
  commands: () => [
    {
      id: 'picture.open',
      title: 'The picture that explains the bug',
      isEnabled: () => true,
      execute: open,
    },
  ],
});
