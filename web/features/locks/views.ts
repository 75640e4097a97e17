// What is loaded when latches and threads are first shown, as one piece.
export { LockPicturePanel } from './lock-picture';
export { ThreadTime } from './thread-time';
