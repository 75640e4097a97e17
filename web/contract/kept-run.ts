// Defines the run that a page stores in the tab's session storage for the next page.
import type { Platform } from './platforms.ts';

export interface KeptRun {
  /**
   * Includes interactive changes as actions. It is parsed only when it runs again, because this
   * page may know other fields.
   */
  spec: { scenario: string; platform: Platform; actions?: readonly unknown[] };
  /** Text of the result; null if the run was in progress, or if the text was too large. */
  result: string | null;
  was_over: boolean;
  /** File of the result; null for a run of the page. */
  file: string | null;
  /** Version and build of the engine; null if unknown. */
  engine: string | null;
}
