// A run as a page stores it in the tab's session storage for the next page.
import type { Platform } from './platforms.ts';

export interface KeptRun {
  /**
   * Includes interactive changes as actions. It is parsed only when it runs again, since this page may know
   * other fields.
   */
  spec: { scenario: string; platform: Platform; actions?: readonly unknown[] };
  /** The text of the result; null while the run was going, or if it was too large. */
  result: string | null;
  was_over: boolean;
  /** The file that the result came from; null for a run of the page. */
  file: string | null;
  /** Version and build of the engine; null if it is unknown. */
  engine: string | null;
}
