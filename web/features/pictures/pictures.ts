import { aio_picture } from './aio-picture';
import { binlog_picture } from './binlog-picture';
import { block_read_picture } from './block-read-picture';
import { undo_read_picture } from './undo-read-picture';
import { xa_picture } from './xa-picture';
import type { PictureOfBug } from './picture';

/** Pictures by scenario id; a bug without one has only a text. */
export const pictures: Readonly<Record<string, PictureOfBug>> = {
  'aio-wakeup-95491': aio_picture,
  'binlog-purge-104615': binlog_picture,
  'fil-mutex-69276': block_read_picture,
  'undo-read-117533': undo_read_picture,
  'xa-gtid-99638': xa_picture,
};
