/** What the page tells its service worker. */
export interface OfflineMessage {
  /** The files of a newer build shall be used from now on. */
  kind: 'take_over';
}
