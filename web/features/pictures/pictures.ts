import { aioPicture } from './aio-picture';
import { binlogPicture } from './binlog-picture';
import { blockReadPicture } from './block-read-picture';
import { undoReadPicture } from './undo-read-picture';
import { xaPicture } from './xa-picture';
import type { PictureOfBug } from './picture';

/** Pictures by scenario id; a bug without one has only a text. */
export const pictures: Readonly<Record<string, PictureOfBug>> = {
  'aio-wakeup-95491': aioPicture,
  'binlog-purge-104615': binlogPicture,
  'fil-mutex-69276': blockReadPicture,
  'undo-read-117533': undoReadPicture,
  'xa-gtid-99638': xaPicture,
};
