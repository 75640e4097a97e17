// Exports the code that loads, as one chunk, when latches and threads are first shown.
export { LockPicturePanel } from './lock-picture';
export { ThreadTime } from './thread-time';
