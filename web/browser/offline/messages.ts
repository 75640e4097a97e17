// Defines the messages between the page and its service worker.
/** A message from the page to its service worker. */
export interface OfflineMessage {
  /**
   * `take_over`: use the files of the newer build from now on. `page_opened`: this page runs, so
   * its predecessor is gone.
   */
  kind: 'take_over' | 'page_opened';
}

/** A message from the service worker to its pages. */
export interface OfflineNews {
  /** `no_room`: this device has no space for the files of the build. */
  kind: 'no_room';
}

/** The event that reports to rescue.ts why no engine can be loaded. */
export const ENGINE_MISSING = 'latchscope:engine-missing';
