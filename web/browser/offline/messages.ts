/** What the page tells its service worker. */
export interface OfflineMessage {
  /**
   * `take_over`: use the files of the newer build from now on. `page_opened`: this page runs, so its
   * predecessor is gone.
   */
  kind: 'take_over' | 'page_opened';
}

/** What the service worker tells its pages. */
export interface OfflineNews {
  /** `no_room`: this device has no room for the files of the build. */
  kind: 'no_room';
}

/** The event that tells the page's rescue (rescue.ts) why no engine can be loaded. */
export const ENGINE_MISSING = 'latchscope:engine-missing';
