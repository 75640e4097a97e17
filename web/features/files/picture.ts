import type { Manifest } from '../../contract/manifest';
import type { ChartPicture } from '../../session/chart-picture';
import type { RunDescription } from '../../session/run-description';

/** The data for a picture of the charts. */
export interface PictureContent {
  picture: ChartPicture;
  description: RunDescription;
  manifest: Manifest;
  /**
   * Latencies below it cannot be distinguished, in nanoseconds; null if unknown, or if latencies
   * are exact.
   */
  clockStepNs: number | null;
}

export type PictureDrawer = (content: PictureContent, format: 'svg' | 'png') => Promise<Blob>;
